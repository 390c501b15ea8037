"""The experiments of the scripts, one small file each."""
