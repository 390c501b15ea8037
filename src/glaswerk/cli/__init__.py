"""The command line. The door to Click and Rich."""
