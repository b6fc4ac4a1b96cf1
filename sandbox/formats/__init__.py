"""Formats: how tool calls are written in model text and read back."""

from toolgym.sandbox.formats.base import Format, FormatError, get_format

__all__ = ["Format", "FormatError", "get_format"]
