"""The one error for everything that is wrong with a file or cannot be stored in one."""

_SHOWN = 100


class ArchiveError(ValueError):
    """The file is damaged, foreign, hostile or too new, or the tree holds a value that a file cannot."""


def shown(value: object) -> str:
    """A value from an untrusted file, short and harmless enough for an error message."""
    if isinstance(value, str):
        return ascii(value if len(value) <= _SHOWN else value[:_SHOWN] + "...")
    if value is None or isinstance(value, int | float):
        text = repr(value)
        return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
    return f"a {type(value).__name__}"
