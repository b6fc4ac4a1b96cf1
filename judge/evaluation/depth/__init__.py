"""ToolDepth: tasks of all worlds by how deep their calls build on one another, and accuracy by depth."""
