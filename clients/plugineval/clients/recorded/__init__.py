"""Models that are played from a file: what was answered once is answered again, exactly and to nothing else."""
