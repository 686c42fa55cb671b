#!/bin/sh
# Calls Loopwright: the one that this plugin came with, else the one on PATH. Where there is none, no session is held up.
beside=$(dirname "$0")/../../dist/cli/main.js
if [ -f "$beside" ] && command -v node >/dev/null 2>&1; then exec node "$beside" hook "$@"; fi
if command -v loop >/dev/null 2>&1; then exec loop hook "$@"; fi
[ "$1" = prompt ] || exit 0
# A person who typed one of our commands should hear why nothing happens.
if grep -q '"prompt" *: *"[[:space:]]*/loopwright:'; then
  printf '%s\n' '{"decision":"block","reason":"Loopwright itself is not installed, so nothing is held. Next: npm install --global loopwright"}'
fi
exit 0
