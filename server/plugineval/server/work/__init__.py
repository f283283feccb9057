"""Work for connected agents, between the store that keeps it and the jobs that wait for it."""
