"""Who hears of a fit: scikit-learn's callbacks where they are set, else a progress line on a long one."""

from collections.abc import Callable, Iterator, Sized
from contextlib import contextmanager
from threading import Lock
from typing import Any, Self

from glaswerk import passes
from glaswerk.passes import Source


class FitTasks:
    """Tells of a fit's passes and blocks: scikit-learn's callbacks where set, else a progress line on a long one."""

    def __init__(self, learner: Any, source: Source) -> None:
        self.learner, self.n_rows = learner, source.n_rows
        self.heard = bool(getattr(learner, "_skl_callbacks", ())) or hasattr(learner, "_parent_callback_ctx")
        self.lock = Lock()

    def __enter__(self) -> Self:
        if self.heard:
            self.root = self.learner._init_callback_context(max_subtasks=None)
            self.root.call_on_fit_task_begin(estimator=self.learner)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self.heard and kind is None:
            self.root.call_on_fit_task_end(estimator=self.learner)

    @contextmanager
    def one_pass(self, number: int) -> Iterator[Callable[[Sized], None]]:
        """What to call after every block of this pass."""
        if not self.heard and self.n_rows <= passes.BLOCK_ROWS:
            yield passes.silent
            return
        progress = passes.Progress(type(self.learner).__name__, self.n_rows, number)
        if not self.heard:
            try:
                yield progress
            finally:
                progress.close()
            return
        blocks = -(-self.n_rows // passes.BLOCK_ROWS)
        task = self.root.subcontext(task_name=f"pass {number}", max_subtasks=blocks)
        task.call_on_fit_task_begin(estimator=self.learner)
        yield lambda _: self._block_done(task)
        task.call_on_fit_task_end(estimator=self.learner)

    def _block_done(self, task: Any) -> None:
        with self.lock:
            block = task.subcontext(task_name="block")
            block.call_on_fit_task_begin(estimator=self.learner)
            block.call_on_fit_task_end(estimator=self.learner)
