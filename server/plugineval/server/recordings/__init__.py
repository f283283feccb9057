"""What models answered in a run or a job, taken out of the store and put into one file that plays them again."""
