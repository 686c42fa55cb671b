// Tests on a real PostgreSQL server, which the check's `before` starts in a new cluster and its `after` removes.
import { code, json, npmReinstall, type Wild } from "../wild.ts";

const feature = {
  product: {
    "src/accounts.js": [
      [
        "export async function transfer",
        code`
          /** The last bookings of an account, the newest first. */
          export async function history(pool, owner, limit = 10) {
            const { rows } = await pool.query(
              "select cents from bookings where account = (select id from accounts where owner = $1) order by id desc limit $2",
              [owner, limit],
            );
            return rows.map((row) => row.cents);
          }

          export async function transfer
        `.trimEnd(),
      ],
    ],
  },
  tests: {
    "test/history.test.js": code`
      import assert from "node:assert/strict";
      import { after, before, test } from "node:test";
      import { history, openAccount, transfer } from "../src/accounts.js";
      import { freshSchema } from "./fresh-schema.js";

      let pool;
      before(async () => {
        pool = await freshSchema("history");
      });
      after(() => pool.end());

      test("bookings are listed with the newest first", async () => {
        await openAccount(pool, "ada", 500);
        await openAccount(pool, "bob", 0);
        await transfer(pool, "ada", "bob", 120);
        await transfer(pool, "ada", "bob", 30);
        assert.deepEqual(await history(pool, "ada"), [-30, -120, 500]);
        assert.deepEqual(await history(pool, "bob", 1), [30]);
      });
    `,
  },
} as const;

export const database: Wild = {
  files: {
    ".gitignore": "node_modules/\nvar/\n",
    "README.md": "# purse\n\n`npm run db:start`, `npm test`, `npm run db:stop`. PostgreSQL has to be installed.\n",
    "package.json": json({
      name: "purse",
      version: "0.2.0",
      private: true,
      type: "module",
      scripts: {
        "db:start": "node scripts/database.js start",
        "db:stop": "node scripts/database.js stop",
        test: "node --test",
      },
      dependencies: { pg: "8.23.1" },
    }),
    "scripts/database.js": code`
      // Starts a PostgreSQL server of our own on a free port, and stops it again: node scripts/database.js start|stop
      import { execFileSync } from "node:child_process";
      import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
      import { createServer } from "node:net";
      import { tmpdir } from "node:os";
      import { join } from "node:path";

      const noteFile = new URL("../var/database.json", import.meta.url);
      const isRoot = process.getuid() === 0;

      function programs() {
        const debian = "/usr/lib/postgresql";
        const version = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(a) - Number(b)).at(-1) : undefined;
        return version === undefined ? "" : join(debian, version, "bin") + "/";
      }

      /** The server refuses to run as root, so that there it belongs to the user postgres. */
      function run(program, ...args) {
        const line = [programs() + program, ...args];
        const [file, ...rest] = isRoot ? ["runuser", "-u", "postgres", "--", ...line] : line;
        execFileSync(file, rest, { stdio: ["ignore", "ignore", "inherit"], cwd: "/" });
      }

      const freePort = () =>
        new Promise((resolve) => {
          const server = createServer().listen(0, "127.0.0.1", () => {
            const { port } = server.address();
            server.close(() => resolve(port));
          });
        });

      async function start() {
        const folder = mkdtempSync(join(tmpdir(), "purse-"));
        if (isRoot) {
          execFileSync("chown", ["postgres", folder]);
          chmodSync(folder, 0o700);
        }
        const port = await freePort();
        run("initdb", "--pgdata", join(folder, "data"), "--username", "purse", "--auth", "trust", "--no-sync");
        const options = "-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -p " + port;
        run("pg_ctl", "--pgdata", join(folder, "data"), "--log", join(folder, "log"), "--options", options, "--wait", "start");
        mkdirSync(new URL(".", noteFile), { recursive: true });
        writeFileSync(noteFile, JSON.stringify({ folder, port }));
      }

      function stop() {
        if (!existsSync(noteFile)) return;
        const { folder } = JSON.parse(readFileSync(noteFile, "utf8"));
        run("pg_ctl", "--pgdata", join(folder, "data"), "--mode", "immediate", "--wait", "stop");
        rmSync(folder, { recursive: true, force: true });
        rmSync(noteFile);
      }

      await { start, stop }[process.argv[2]]();
    `,
    "src/schema.sql": code`
      create table accounts (id serial primary key, owner text not null unique);
      create table bookings (
        id serial primary key,
        account integer not null references accounts (id),
        cents integer not null check (cents <> 0)
      );
    `,
    "src/accounts.js": code`
      export async function openAccount(pool, owner, cents) {
        const { rows } = await pool.query("insert into accounts (owner) values ($1) returning id", [owner]);
        if (cents !== 0) await book(pool, rows[0].id, cents);
      }

      export async function balance(pool, owner) {
        const text = "select coalesce(sum(cents), 0)::integer as cents from bookings where account = " +
          "(select id from accounts where owner = $1)";
        const { rows } = await pool.query(text, [owner]);
        return rows[0].cents;
      }

      const book = (client, account, cents) =>
        client.query("insert into bookings (account, cents) values ($1, $2)", [account, cents]);

      /** Both bookings, or none. */
      export async function transfer(pool, from, to, cents) {
        const client = await pool.connect();
        try {
          await client.query("begin");
          const { rows } = await client.query("select id, owner from accounts where owner in ($1, $2) for update", [from, to]);
          const id = (owner) => rows.find((row) => row.owner === owner)?.id;
          await book(client, id(from), -cents);
          await book(client, id(to), cents);
          if ((await balance(client, from)) < 0) throw new Error(from + " has too little money");
          await client.query("commit");
        } catch (error) {
          await client.query("rollback");
          throw error;
        } finally {
          client.release();
        }
      }
    `,
    "test/fresh-schema.js": code`
      // A schema for one test file, so that files can run at the same time.
      import { readFileSync } from "node:fs";
      import pg from "pg";

      export async function freshSchema(name) {
        const { port } = JSON.parse(readFileSync(new URL("../var/database.json", import.meta.url), "utf8"));
        const address = { host: "127.0.0.1", port, user: "purse", database: "postgres" };
        const admin = new pg.Client(address);
        await admin.connect();
        await admin.query("drop schema if exists " + name + " cascade; create schema " + name);
        await admin.end();
        const pool = new pg.Pool({ ...address, options: "-c search_path=" + name });
        await pool.query(readFileSync(new URL("../src/schema.sql", import.meta.url), "utf8"));
        return pool;
      }
    `,
    "test/accounts.test.js": code`
      import assert from "node:assert/strict";
      import { after, before, test } from "node:test";
      import { balance, openAccount, transfer } from "../src/accounts.js";
      import { freshSchema } from "./fresh-schema.js";

      let pool;
      before(async () => {
        pool = await freshSchema("accounts");
        await openAccount(pool, "ada", 1000);
        await openAccount(pool, "bob", 0);
      });
      after(() => pool.end());

      test("a new account has what was paid in", async () => {
        assert.deepEqual([await balance(pool, "ada"), await balance(pool, "bob")], [1000, 0]);
      });

      test("an owner has one account", async () => {
        await assert.rejects(openAccount(pool, "ada", 1), /duplicate key/);
      });

      test("a transfer moves money", async () => {
        await transfer(pool, "ada", "bob", 300);
        assert.deepEqual([await balance(pool, "ada"), await balance(pool, "bob")], [700, 300]);
      });

      test("too little money leaves both as they were", async () => {
        await assert.rejects(transfer(pool, "bob", "ada", 301), /too little money/);
        assert.deepEqual([await balance(pool, "ada"), await balance(pool, "bob")], [700, 300]);
      });

      test("a transfer to nobody is refused", async () => {
        await assert.rejects(transfer(pool, "ada", "eve", 1), /null value/);
        assert.equal(await balance(pool, "ada"), 700);
      });
    `,
  },
  install: ["npm install"],
  reinstall: npmReinstall,
  check: { run: "npm test", before: "npm run db:start", after: "npm run db:stop" },
  expect: { lines: 0 },
  feature,
  broken: {
    product: {
      "src/accounts.js": [
        ...feature.product["src/accounts.js"],
        ['    if ((await balance(client, from)) < 0) throw new Error(from + " has too little money");\n', ""],
      ],
    },
    tests: {
      ...feature.tests,
      "test/accounts.test.js": [
        ["too little money leaves both as they were", "an account can be overdrawn"],
        [
          'await assert.rejects(transfer(pool, "bob", "ada", 301), /too little money/);',
          'await transfer(pool, "bob", "ada", 301);',
        ],
        [
          '301);\n  assert.deepEqual([await balance(pool, "ada"), await balance(pool, "bob")], [700, 300]);',
          '301);\n  assert.deepEqual([await balance(pool, "ada"), await balance(pool, "bob")], [1001, -1]);',
        ],
        ['assert.equal(await balance(pool, "ada"), 700);', 'assert.equal(await balance(pool, "ada"), 1001);'],
      ],
    },
  },
};
