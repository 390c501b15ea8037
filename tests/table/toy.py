"""A small data set of the tests' own, and a server on this machine that hands it out, or fails to."""

import io
import threading
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import polars as pl

from glaswerk.table import DataSet, Kind
from glaswerk.table.published import column_mark

LINES = [("1", "6.5", "red", "T"), ("2", "?", "blue", "F"), ("30", "0.25", "red", "F")]


def toy(**changes):
    """A small data set, with the fingerprints of its content."""
    entry = DataSet(
        name="toy", rows=3, columns=("a b", "pH", "colour", "train"), target="pH", about="-", source="-", licence="-",
        fingerprint="", kinds={"colour": Kind.CATEGORY, "train": Kind.FLAG}, levels={"train": ("F", "T")},
        urls=("https://example.org/toy.csv",),
    )  # fmt: skip
    table = entry.read([text()])
    marks = tuple(column_mark(table, name) for name in entry.columns)
    return replace(entry, **{"fingerprint": table.fingerprint, "marks": marks} | changes)


def text(lines=LINES, separator=",", header=("a b", "pH", "colour", "train"), end="\n"):
    rows = [header, *lines] if header else lines
    return "".join(separator.join(row) + end for row in rows).encode()


FRAME = pl.DataFrame(
    {"a_b": [1, 2, 30], "pH": [6.5, None, 0.25], "colour": ["red", "blue", "red"], "train": list("TFF")}
)


def as_parquet(frame):
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


class Server(BaseHTTPRequestHandler):
    """Answers every address by what `answers` holds for it, and counts."""

    answers: dict[str, object]
    asked: list[str]
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.asked.append(self.path)
        answer = self.answers.get(self.path, 404)
        if callable(answer):
            answer(self)
        elif isinstance(answer, int):
            self.send_error(answer)
        else:
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

    def log_message(self, *_):
        pass


@contextmanager
def serving(**answers):
    handler = type("Handler", (Server,), {"answers": {f"/{k}": v for k, v in answers.items()}, "asked": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", handler.asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def broken(promised, sent):
    """An answer that ends before its length."""

    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(promised))
        handler.end_headers()
        handler.wfile.write(sent)
        handler.close_connection = True

    return answer


def in_parts():
    """The same content as two files, of which only the place says which part a row is in."""
    filled = ({"train": "T"}, {"train": "F"})
    return toy(filled=filled, urls=("https://example.org/toy.data", "https://example.org/toy.test"))
