"""Prototypes: what groups of rows look like. Clusters, codebooks and components of a mixture are all this."""

from dataclasses import dataclass

from glaswerk.facts.table import Cell, Table


@dataclass(frozen=True)
class Prototype:
    """A group: how many rows it stands for, their root mean squared distance from it, and where it lies."""

    name: str
    rows: float
    share: float
    spread: float | None
    centre: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True)
class Prototypes:
    """Groups side by side; `mean` and `scale` are those of all rows, so that a centre can be told from the usual."""

    title: str
    columns: tuple[str, ...]
    groups: tuple[Prototype, ...]
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    says: str = ""
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        heads = ("group", "rows", "share", "root mean squared distance", *self.columns)
        rows: list[tuple[Cell, ...]] = [
            (group.name, group.rows, group.share, group.spread, *group.centre) for group in self.groups
        ]
        rows.append(("all rows", sum(g.rows for g in self.groups), 1.0, None, *self.mean))
        return Table(self.title, heads, tuple(rows), (self.says, *self.notes) if self.says else self.notes)

    def away(self, group: Prototype) -> tuple[float, ...]:
        """How far the group lies from the mean of all rows, column by column, in standard deviations of all rows."""
        return tuple(
            (at - mean) / scale if scale > 0 else 0.0
            for at, mean, scale in zip(group.centre, self.mean, self.scale, strict=True)
        )

    def told(self, group: Prototype, most: int = 3) -> str:
        """The group in words: the columns in which it differs most from all rows."""
        away = self.away(group)
        order = sorted(range(len(away)), key=lambda j: (-abs(away[j]), j))[:most]
        said = [
            f"{self.columns[j]} {'high' if away[j] > 0 else 'low'} ({away[j]:+.1f} sd)".replace("-", "−")
            for j in order
            if abs(away[j]) >= 0.25
        ]
        return f"{group.name} ({100 * group.share:.0f} % of the rows): {', '.join(said) or 'like all rows'}"
