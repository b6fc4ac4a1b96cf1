"""What a world's author writes with: domain, tools, tasks, the database, messages and refusals."""
