"""What the processes on one database share: the limits of endpoints and of work."""
