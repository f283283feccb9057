"""Where alembic meets the store: it works in the connection, and inside the transaction, that the store hands it."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
