"""Statistics that add: what blocks of rows say, in a form whose sum is what all rows say."""
