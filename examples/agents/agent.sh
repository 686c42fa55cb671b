#!/bin/sh
# A command agent in sh. It gets its prompt on standard input and in $LOOP_PROMPT_FILE, works in the current folder, and leaves
# its reply as JSON in $LOOP_REPLY_FILE. Put your own program where `work` and `judge` are.
set -eu

work() { # Changes files. Here: a function twice() with its test.
  printf 'export const twice = (n) => 2 * n;\n' > src/twice.js
  printf 'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { twice } from "../src/twice.js";\n' > test/twice.test.js
  printf 'test("twice", () => {\n  assert.equal(twice(2), 4);\n  assert.equal(twice(-3), -6);\n});\n' >> test/twice.test.js
}
judge() { # Looks, and changes nothing: this checkout is thrown away.
  npm test > /dev/null 2>&1
}

case "$LOOP_ROLE" in
  builder)
    work
    echo '{"status": "done", "summary": "Added twice() with a test."}' > "$LOOP_REPLY_FILE" ;;
  evaluator)
    if judge; then verdict=pass met=true; else verdict=fail met=false; fi
    echo "{\"verdict\": \"$verdict\", \"summary\": \"I ran the tests.\", \"criteria\": [{\"criterion\": \"C1\", \"met\": $met,
      \"verification\": \"execution output\", \"evidence\": [{\"command\": \"npm test\"}]}]}" > "$LOOP_REPLY_FILE" ;;
esac
