"""The store: SQLModel tables on SQLite or PostgreSQL; tables never leave this room."""
