// Requests as people write them, with what a person expects of each. Written before the rules; the rules were tuned on these.
import { type Row, row } from "./row.ts";

const bugs: readonly Row[] = [
  row("tests", "colleague debug 2B 22011", "Fix the failing test in src/parser.test.ts"),
  row("tests", "colleague debug 2B 21011", "make the tests pass"),
  row("nothing", "colleague debug 2B 21011", "make the tests pass"),
  row(
    "tests",
    "colleague debug 2B 21121",
    "Users with a + in their email address cannot log in. The form says 'invalid email'. It should accept any address that RFC 5322 allows.",
  ),
  row("tests", "intent-needed debug 2B 11011", "fix login"),
  row("nothing", "intent-needed debug 2B 00000", "Its broken pls fix asap"),
  row("tests", "colleague debug 2B 21011", "App crashes on startup"),
  row(
    "tests",
    "colleague debug 2B",
    `Getting this in production since yesterday, please find out why and fix it:

TypeError: Cannot read properties of undefined (reading 'id')
    at getUser (src/users/get-user.ts:42:18)
    at dropTable (src/legacy/publish.ts:7:3)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)`,
  ),
  row(
    "tests",
    "colleague debug 2B",
    `the nightly import dies with

Traceback (most recent call last):
  File "jobs/nightly.py", line 31, in <module>
    main()
  File "jobs/importer.py", line 112, in parse_row
    amount = Decimal(row["amount"])
decimal.InvalidOperation: [<class 'decimal.ConversionSyntax'>]

when the amount is empty. Empty amounts should be skipped and counted in the summary line.`,
  ),
  row(
    "tests",
    "tool debug 2B 22122",
    "Memory leak in the websocket server: RSS grows by 50 MB an hour with 100 idle clients. Find the root cause. Done when RSS stays within 10 MB over an hour in bench/idle.ts, and `npm test` stays green. Don't touch the public API.",
  ),
  row(
    "tests",
    "colleague debug 2B",
    "flaky test: test/queue.test.ts 'drains in order' fails about 1 in 20 runs on CI. make it deterministic, dont just add retries or sleeps",
  ),
  row("tests", "colleague debug 2B 21021", "date parsing is off by one day for users west of UTC"),
  row("tests", "colleague debug 2A 22011", "Fix typo in README: 'recieve' -> 'receive'"),
  row("tests", "colleague debug 2B", "The export button does nothing in Safari 17"),
  row("tests", "intent-needed debug 2B", "something is wrong with the billing page, can you look?"),
  row("tests", "intent-needed debug 2B 00011", "fix all the bugs"),
  row(
    "tests",
    "colleague debug 2B 21021",
    "TypeError in checkout when the cart is empty; expected an empty-cart message instead",
  ),
  row(
    "tests",
    "tool debug 2B",
    "npm run build fails with TS2322 in src/api/client.ts line 88. fix the types, no `any`, no ts-ignore",
  ),
  row(
    "tests",
    "colleague debug 1",
    "Login tokens expire after 5 minutes instead of 60. Find out why and fix it in src/auth/token.ts.",
  ),
  row("tests", "colleague debug 2B", "CI is red"),
  row("tests", "colleague debug 2B", "segfault when i pass an empty file to `mdconv --watch`, 1.4.2, linux"),
];

const features: readonly Row[] = [
  row("tests", "colleague build 2B 22011", "Add a --json flag to the list command"),
  row("nothing", "colleague build 2B 22000", "Add a --json flag to the list command"),
  row("tests", "colleague build 2B 21011", "Add dark mode"),
  row("tests", "colleague build 2B 22011", "Add rate limiting to the login route"),
  row(
    "tests",
    "tool build 2B 22222",
    "Add rate limiting to POST /api/login: 5 attempts per IP and minute, then 429 with a Retry-After header. Use the Redis client we already have, no new dependencies. Tests in test/login.test.ts cover the 5th and the 6th attempt. Done when npm test is green.",
  ),
  row("tests", "intent-needed build 2B", "implement search"),
  row(
    "tests",
    "colleague build 2B",
    "I want users to be able to export their invoices as CSV from the account page. Columns: date, number, net, VAT, gross. Amounts with two decimals and a dot. Must work for 10k invoices without running out of memory.",
  ),
  row("nothing", "colleague build 2B 21000", "Create a CLI that converts Markdown to PDF"),
  row("nothing", "intent-needed build 2B", "Build me a todo app"),
  row(
    "tests",
    "tool build 2A 22022",
    "Write unit tests for src/lib/money.ts until line coverage of that file is at least 95%",
  ),
  row(
    "tests",
    "colleague build 1",
    "Add Stripe payments to the checkout: card only, EUR, use Stripe Checkout sessions, webhooks verified. Keep the existing order flow.",
  ),
  row("tests", "colleague build 1", "Support OAuth login with Google"),
  row("tests", "intent-needed build 2B", "Add i18n"),
  row(
    "tests",
    "tool build 2B",
    "Please add pagination (limit/offset, max 100) to GET /v1/orders, keeping the response shape for clients that send no parameters",
  ),
  row(
    "tests",
    "colleague build 2B",
    "Let people upload an avatar (png/jpg, max 2 MB), crop it to a square and show it in the header.",
  ),
  row(
    "tests",
    "colleague build 2B 22021",
    'add a healthcheck endpoint at /healthz that returns 200 and {"status":"ok"} when the database answers, 503 otherwise',
  ),
  row("tests", "colleague build 2B", "Show a progress bar during `sync`, only when stdout is a TTY; nothing in CI"),
  row("tests", "intent-needed build 2B", "new feature: comments"),
  row("tests", "colleague build 2A 22011", "Add a CHANGELOG entry for 2.3.0"),
  row("tests", "colleague build 2A 22011", "Set the default timeout to 30 s in config/default.yaml"),
  row("tests", "colleague build 1 22011", "Add an index on orders.customer_id"),
  row(
    "tests",
    "colleague build 1",
    "Add a nullable `deleted_at` column to the users table with a migration, and make the list queries ignore rows that have it set.",
  ),
];

const refactors: readonly Row[] = [
  row("nothing", "colleague refactor 2B 22111", "refactor all API routes to use validation middleware"),
  row("tests", "intent-needed refactor 2B 00011", "Refactor the code"),
  row("tests", "colleague refactor 2A 22011", "Rename `getUser` to `fetchUser` everywhere"),
  row(
    "tests",
    "tool refactor 2B",
    "Migrate from Jest to Vitest. All 212 tests must still run and pass, same coverage thresholds, remove jest from package.json. No changes to src/.",
  ),
  row(
    "tests",
    "tool refactor 2B",
    "Split src/server.ts (1,900 lines) into modules of at most 300 lines each; behaviour unchanged, public exports stay the same, tests untouched",
  ),
  row("tests", "intent-needed refactor 2B 11011", "clean up the utils folder"),
  row("tests", "colleague refactor 1", "Remove the deprecated v1 endpoints"),
  row("tests", "colleague refactor 2B 22011", "Delete dead code in src/legacy"),
  row("tests", "colleague refactor 2B", "Upgrade React from 17 to 19"),
  row(
    "tests",
    "colleague refactor 2B",
    "Replace moment with date-fns across the repo, delete moment from package.json, bundle must not grow",
  ),
  row(
    "tests",
    "colleague refactor 2B 22111",
    "convert the callbacks in lib/store.js to async/await without changing exported signatures",
  ),
  row("tests", "intent-needed refactor 2B", "modernize the codebase"),
  row(
    "tests",
    "colleague refactor 2B",
    "Extract the price calculation out of OrderForm.tsx into a pure function with its own tests",
  ),
  row("tests", "colleague refactor 2B", "move config from .env to config/*.yaml"),
  row("tests", "colleague refactor 2A", "Reformat everything with prettier"),
  row("nothing", "intent-needed refactor 2B 10000", "Improve performance"),
  row("tests", "intent-needed refactor 2B 10011", "make the site faster"),
  row(
    "tests",
    "tool refactor 2B",
    "Reduce p95 latency of GET /api/search below 100 ms at 50 rps (k6 script in bench/search.js). No new infrastructure.",
  ),
  row("tests", "colleague refactor 2B 21021", "Speed up the CI pipeline, currently 25 min, target under 10"),
  row(
    "tests",
    "intent-needed refactor 2B 11211",
    "Make the API faster but don't touch the database schema or the public API",
  ),
];

const dangers: readonly Row[] = [
  row("tests", "colleague - 1", "Delete all users that have not logged in for two years from the production database"),
  row("tests", "colleague refactor 1", "Drop the legacy_orders table and the code that reads it"),
  row("tests", "colleague - 1 21011", "Publish the package to npm as 3.0.0"),
  row("tests", "colleague - 1", "Rotate the signing keys and re-encrypt stored tokens"),
  row(
    "tests",
    "colleague refactor 1",
    "Change the password hashing from bcrypt to argon2id; existing users must still be able to log in",
  ),
  row(
    "tests",
    "colleague - 1",
    "Change the response of GET /api/v2/users from an array to {items, next}. Clients: web and mobile.",
  ),
  row(
    "tests",
    "colleague - 1",
    "Split the name column into first_name and last_name, backfill existing rows, and keep the old column for one release",
  ),
  row("tests", "colleague - 1", "Deploy the new version to production when tests are green"),
  row(
    "tests",
    "tool debug 1",
    "Refund logic: partial refunds must not exceed the captured amount. Fix src/payments/refund.ts; cases in test/refund.test.ts.",
  ),
  row("tests", "colleague - 1", "Send the newsletter to all customers"),
  row(
    "tests",
    "colleague build 1",
    "Purge rows older than 90 days from the events table, as a nightly job with --dry-run",
  ),
  row("tests", "colleague - 1", "Remove the admin check from DELETE /users/:id so support can use it"),
  row("tests", "colleague refactor 1", "Terraform: move the production S3 bucket to eu-central-1"),
  row("tests", "colleague - 1", "force-push a cleaned history without the leaked key"),
];

const wishes: readonly Row[] = [
  row("nothing", "intent-needed - - 00000", "hello"),
  row("nothing", "intent-needed - - 00000", "do it"),
  row("nothing", "intent-needed - 2B 00000", "Make it better"),
  row("tests", "intent-needed - -", "Can you take a look at the repo and tell me what you think?"),
  row("tests", "intent-needed - 2B", "We should probably do something about error handling"),
  row("tests", "intent-needed - 2B 00011", "everything should be more robust and production ready"),
  row("tests", "intent-needed build 2A", "add tests"),
  row("tests", "intent-needed build 2B", "finish the app"),
  row("features", "tool build 2B", "Continue"),
  row("features", "tool build 2B 22022", "Complete the features in docs/FEATURES.json."),
  row("shape", "colleague - 2B", "make it nicer"),
];

const languages: readonly Row[] = [
  row(
    "tests",
    "colleague debug 2B",
    "Behebe den Fehler in src/warenkorb.ts: Der Rabatt wird doppelt abgezogen, wenn man die Menge ändert. Die Tests sollen grün bleiben.",
  ),
  row("nothing", "intent-needed - 2B", "Mach es besser"),
  row("tests", "colleague build 2B", "Ajoute une option --verbose à la commande build, sans nouvelle dépendance"),
  row("tests", "colleague - 1", "Elimina todos los registros de clientes inactivos de la base de datos"),
  row("tests", "colleague build 2B", "为登录页面添加验证码功能，连续输错三次密码后显示"),
  row("tests", "colleague debug 2B", "修复 src/cart.ts 中的价格计算错误"),
  row("tests", "colleague build 2B", "設定画面にダークモードを追加してください"),
  row("tests", "colleague build 2B", "Dodaj przycisk wylogowania do nagłówka strony i zapamiętaj wybór użytkownika"),
];

const terse: readonly Row[] = [
  row("tests", "colleague debug 2B", "fix teh failling tests"),
  row("tests", "colleague build 2B 22011", "add flag --dry-run to `deploy` cmd"),
  row("tests", "intent-needed refactor -", "refactr auth modul"),
  row("tests", "colleague build 2B", "pls impl pagination for the users list (20 per page)"),
  row("tests", "colleague refactor 2B", "upd deps"),
  row("tests", "colleague refactor 2A", "mv docs/setup.md docs/install.md + fix links"),
];

const long: readonly Row[] = [
  row(
    "tests",
    "tool build 2B 22222",
    `# Saved searches

## Goal
A signed-in user can save the current search under a name and open it again from the search page.

## Scope
- src/search/**, src/api/searches.ts and their tests
- Out of scope: sharing, notifications

## Constraints
- No new dependencies
- At most 20 saved searches per user; the 21st gets a 409 with a clear message
- Works without JavaScript

## Acceptance criteria
- POST /api/searches returns 201 and the id
- A name that is already taken gives 409
- The list shows the newest first
- Deleting one asks for confirmation

## Done
When all criteria have a test and \`npm test\` and \`npm run lint\` are green.`,
  ),
  row(
    "tests",
    "tool debug 2B",
    `**Describe the bug**
\`mdconv --toc\` drops headings that contain inline code.

**To reproduce**
1. echo '# Use \`foo\`' > a.md
2. mdconv --toc a.md

**Expected behavior**
The table of contents lists "Use foo".

**Actual behavior**
The table of contents is empty.

**Environment**
mdconv 2.1.0, Node 22. Please keep the output for documents without inline code byte for byte the same.`,
  ),
  row(
    "tests",
    "colleague build 2B",
    "So we have been talking about this for a while in the team and I think it is time that the CLI gets shell completion. People keep asking for it. I would like bash and zsh at first, fish later maybe. `mycli completion bash` should print a script to stdout that can be sourced, and it should complete subcommands, flags and, for `open`, the names of projects.",
  ),
];

// Written after a first look at the rules, which knew too few verbs and refused most of these.
const afterwards: readonly Row[] = [
  row("tests", "colleague build 2B", "Make the login page responsive"),
  row("tests", "colleague build 2B 21021", "the parser should accept trailing commas"),
  row("tests", "colleague build 2B", "Cache the responses of the weather API for 10 minutes"),
  row("tests", "colleague build 2B", "Handle the case where the file does not exist"),
  row("tests", "colleague build 2B", "Validate the email field in the signup form"),
  row("tests", "colleague build 2B 21011", "Hide the sidebar on mobile"),
  row("tests", "colleague build 2B 21011", "Turn off telemetry by default"),
  row("tests", "colleague refactor 2B", "Bump lodash to 4.17.21"),
  row("tests", "colleague refactor 2B", "Drop support for Node 16"),
  row("tests", "colleague build 1", "As a user I want to reset my password so that I can log in again"),
  row("tests", "colleague build 2B", 'Add a column "Status" to the orders overview page'),
  row("tests", "colleague build 1", "Users table: make email unique"),
  row("tests", "colleague build 1", "Give admins a way to impersonate users"),
  row("tests", "colleague - 1", "Merge duplicate customer records in the database"),
  row("tests", "colleague refactor 1", "Migrate the database from MySQL to Postgres"),
  row("tests", "colleague - 1", "bump version to 1.2.3 and publish"),
  row("tests", "colleague build 2A", "Document the public API"),
  row("tests", "colleague debug 2B", "tests fail on windows"),
  row("tests", "intent-needed - 2B", "the app is slow"),
  row("tests", "intent-needed - -", "What does this project do?"),
  row("tests", "intent-needed - 2B", "Improve error messages"),
  row("tests", "colleague build 2B", "Dockerize the app"),
  row("tests", "colleague refactor 2A", "lint errors"),
  row("tests", "intent-needed debug 2B", "Resolve #88"),
];

export const requests: readonly Row[] = [
  ...bugs,
  ...features,
  ...refactors,
  ...dangers,
  ...wishes,
  ...languages,
  ...terse,
  ...long,
  ...afterwards,
];
