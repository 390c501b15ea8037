"""The same command in two processes gives the same bytes of the results, and the hash that the report states."""

import hashlib
import json
import os
import subprocess
import sys

import pytest

from glaswerk.report.twin import canonical

SCRIPT = "from glaswerk.__main__ import main; import sys; sys.argv[0] = 'glaswerk'; main()"
WORDS = ["--folds", "5", "--repeats", "1", "--seed", "3", "--budget", "none", "--output"]


def written(folder, name, table, target, threads):
    words = ["report", table, "--target", target, *WORDS, "page.html", "--json-output", name]
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "PYTHONHASHSEED": str(threads)}
    subprocess.run([sys.executable, "-c", SCRIPT, *words], cwd=folder, env=environment, check=True, capture_output=True)
    return json.loads((folder / name).read_text())


@pytest.mark.proof
@pytest.mark.parametrize(("table", "target"), [("auto_mpg", "mpg"), ("iris", "species")])
def test_two_processes_give_the_same_results(tmp_path, table, target):
    one, other = (written(tmp_path, f"{k}.json", table, target, k) for k in (1, 2))
    assert canonical(one["results"]) == canonical(other["results"])
    assert one["cut"] == other["cut"] == []
    stated = one["reproduction"]["result_hash"]
    assert stated == other["reproduction"]["result_hash"]
    assert stated == hashlib.sha256(canonical(one["results"]).encode()).hexdigest()
    assert {"command", "versions", "data_fingerprint"} <= one["reproduction"].keys()
