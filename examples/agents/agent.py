# A command agent in Python: see agent.sh.
import json
import os
import pathlib
import subprocess
import sys

prompt = sys.stdin.read()  # the same as in LOOP_PROMPT_FILE


def build():
    pathlib.Path("src/twice.js").write_text("export const twice = (n) => 2 * n;\n")
    pathlib.Path("test/twice.test.js").write_text(
        'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { twice } from "../src/twice.js";\n'
        'test("twice", () => {\n  assert.equal(twice(2), 4);\n  assert.equal(twice(-3), -6);\n});\n'
    )
    return {"status": "done", "summary": "Added twice() with a test."}


def judge():
    ok = subprocess.run(["npm", "test"], capture_output=True).returncode == 0
    criterion = {"criterion": "C1", "met": ok, "verification": "execution output", "evidence": [{"command": "npm test"}]}
    return {"verdict": "pass" if ok else "fail", "summary": "I ran the tests.", "criteria": [criterion]}


reply = judge() if os.environ["LOOP_ROLE"] == "evaluator" else build()
pathlib.Path(os.environ["LOOP_REPLY_FILE"]).write_text(json.dumps(reply))
