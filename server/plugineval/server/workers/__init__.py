"""Many machines: a queue on PostgreSQL that delivers shards and jobs, and the workers that take them."""
