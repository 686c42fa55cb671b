// Requests set aside before the rules were written. No rule was changed because of one of these.
import { type Row, row } from "./row.ts";

export const heldOut: readonly Row[] = [
  row("tests", "colleague debug 2B 22011", "Fix the off-by-one in paginate() in src/list.py"),
  row("tests", "intent-needed debug 2B", "it doesn't work"),
  row(
    "tests",
    "colleague debug 2B 21021",
    "The search box loses focus after every keystroke on iOS. It should keep focus until Enter is pressed.",
  ),
  row(
    "tests",
    "colleague debug 2B",
    `can someone fix this? started after the upgrade to node 22

node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module './lib/delete-account'
Require stack:
- /app/server.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)`,
  ),
  row("tests", "colleague build 2B 22011", "Implement `Queue.peek()` in src/queue.rs"),
  row("tests", "intent-needed build 2B", "add AI"),
  row(
    "tests",
    "tool build 2B 22222",
    "Add an `--out FILE` option to `report` (src/commands/report.ts). Refuse to overwrite without --force. No new packages. Cover both cases in report.test.ts. Finished when `npm test` passes and the README lists the option.",
  ),
  row("tests", "colleague build 2B", "Add email notifications when a build fails, off by default"),
  row("nothing", "colleague build 2B", "Make a landing page for my startup"),
  row("tests", "colleague build 1", "Add a tenant_id foreign key to every table and a migration for it"),
  row("tests", "colleague refactor 2B 22111", "Convert src/store/*.js to TypeScript without changing behaviour"),
  row("tests", "intent-needed refactor 2B", "tidy things up a bit"),
  row("tests", "colleague refactor 2B", "Get rid of lodash, use native methods instead"),
  row("tests", "colleague refactor 2A", "rename the `colour` option to `color` in the docs"),
  row("tests", "colleague - 1", "Truncate the audit log table and reset its sequence"),
  row("tests", "colleague - 1", "Release v2 to PyPI and tag it"),
  row("tests", "colleague debug 1", "Customers are charged twice when they double-click Pay. Fix it."),
  row("tests", "colleague - 1", "Let managers see every user's data: change the permission checks in src/acl.ts"),
  row("tests", "colleague debug 2B", "Corrige l'erreur 500 quand le panier est vide, dans src/panier.js"),
  row("tests", "colleague build 2B", "Füge der Liste eine Sortierung nach Datum hinzu, neueste zuerst"),
  row("tests", "intent-needed - 2B", "take the project to the next level"),
  row(
    "tests",
    "colleague refactor 2B 22021",
    "Cut the bundle size of packages/web from 1.2 MB to under 800 kB, measured by `npm run size`",
  ),
  row("tests", "colleague build 2A", "Document the environment variables in docs/configuration.md"),
  row(
    "nothing",
    "colleague refactor 2B",
    "Replace every use of request with undici; nothing else may change; CI green",
  ),
];
