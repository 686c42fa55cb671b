// What loop check prints.
import { describe, expect, test } from "vitest";
import type { CheckedProject } from "../../project/checks/check-project.ts";
import type { CheckedCheck } from "../../project/checks/look-at-checks.ts";
import { type CheckAnswer, checkText, firstLines } from "./check.ts";
import { painter } from "./paint.ts";

const check = (
  given: Partial<CheckedCheck> & { name?: string; run?: string; must?: CheckedCheck["spec"]["must"] },
): CheckedCheck => ({
  spec: {
    name: given.name ?? "test",
    run: given.run ?? "npm test",
    must: given.must ?? "stay-green",
    timeoutMs: 600_000,
    tests: [],
  },
  looks: "named",
  how: "green",
  isFit: true,
  tests: 128,
  ms: 4210,
  tail: "",
  log: "/home/pat/.local/state/loopwright/shop-0f3a/check/1-ab/files/output/check-test.txt",
  diagnosis: null,
  offline: null,
  ...given,
});
const project = (given: Partial<CheckedProject>): CheckedProject => ({
  rooms: { kind: "mounts", why: "" },
  kept: { paths: ["node_modules"], bytes: 289_406_976, ms: 1210, notes: [] },
  build: { run: "", from: "none" },
  product: 34,
  protected: 61,
  from: "detected",
  checks: [check({})],
  obstacle: null,
  lacking: [],
  additions: [],
  estimate: { quick: 12_400, standard: 31_000, deep: 65_000 },
  notes: [],
  isFit: true,
  ...given,
});
const answer = (given: Partial<CheckAnswer>): CheckAnswer => ({
  project: project({}),
  keys: null,
  wrote: false,
  exitCode: 0,
  next: 'loop "what should be done"',
  ...given,
});
const text = (given: Partial<CheckAnswer>): string => checkText(answer(given), painter(false));

const missing = `TAP version 13
# Subtest: reads its settings
not ok 1 - reads its settings
  Error: ENOENT: no such file or directory, open '/home/pat/shop/.env'
      at readFileSync (node:fs:448:20)
# pass 127
# fail 1`;
const dotenv = { is: "file", path: ".env" } as const;

test("every check is fit", () => {
  expect(text({ project: project({ build: { run: "npm run build", from: "detected" } }) })).toMatchInlineSnapshot(`
    "checkout  laid over this folder's own path
    kept      node_modules, 276 MB in 1.2 s
    build     npm run build (detected)
    files     34 product, 61 protected (loop status --seal)

    ✓ test    npm test
              green, 128 tests by name, 4.2 s

    The checks of a proof take about, per feature: quick 12 s,
    standard 31 s, deep 65 s.

    Next: loop "what should be done"
    "
  `);
});

test("a red check with what it lacks", () => {
  const diagnosis = { is: "found", additions: [dotenv], smallest: true, runs: 2, ms: 9300, untried: [] } as const;
  const red = check({ looks: "red", how: "red", isFit: false, tests: 127, tail: missing, diagnosis });
  const given = project({
    checks: [red, check({ name: "lint", run: "npm run lint", looks: "unnamed", tests: null, ms: 2300 })],
    additions: [dotenv],
    isFit: false,
  });
  expect(
    text({
      project: given,
      keys: { room: { files: [".env"] } },
      exitCode: 1,
      next: "loop check --write adds it to loop.yaml",
    }),
  ).toMatchInlineSnapshot(`
    "checkout  laid over this folder's own path
    kept      node_modules, 276 MB in 1.2 s
    build     none
    files     34 product, 61 protected (loop status --seal)

    ✗ test    npm test
              red in the clean checkout, 4.2 s
              │ not ok 1 - reads its settings
              │   Error: ENOENT: no such file or directory,…
              │ # pass 127
              │ # fail 1
              /home/pat/.local/state/loopwright/shop-0f3a/check/1-ab/files/output/check-test.txt
              Green with .env (2 trials, 9.3 s).

    ! lint    npm run lint
              green, 2.3 s; it names no tests, so that only its
              exit code is compared

    Add to loop.yaml
      room:
        files: [.env]
    warning   .env may hold secrets, and becomes readable to the
              checks, and so to code that an agent wrote.

    The checks of a proof take about, per feature: quick 12 s,
    standard 31 s, deep 65 s.

    Next: loop check --write adds it to loop.yaml
    "
  `);
});

test("red in the folder as well, in another folder, with a note", () => {
  const diagnosis = { is: "red", runs: 1, ms: 3200, untried: ["data/"] } as const;
  const red = check({ looks: "red", how: "red", isFit: false, tests: null, tail: "AssertionError: 1 == 2", diagnosis });
  const given = project({
    rooms: { kind: "folder", why: "mount namespaces are a thing of Linux" },
    kept: { paths: [], bytes: 0, ms: 3, notes: [] },
    checks: [red],
    estimate: null,
    notes: ["data/ is ignored and too large to be tried; room: files brings it."],
    isFit: false,
  });
  const next =
    "run test in this folder and make it green there, then: loop check. If it has to turn green, say must: turn-green for it in loop.yaml";
  expect(text({ project: given, exitCode: 1, next })).toMatchInlineSnapshot(`
    "checkout  a folder elsewhere: mount namespaces are a thing
              of Linux
    kept      nothing: there is no dependency folder here, such
              as node_modules or .venv
    build     none
    files     34 product, 61 protected (loop status --seal)

    ✗ test    npm test
              red in the clean checkout, 4.2 s
              │ AssertionError: 1 == 2
              /home/pat/.local/state/loopwright/shop-0f3a/check/1-ab/files/output/check-test.txt
              It stays red with all ignored files, your whole
              environment and the settings in your home (1
              trial, 3.2 s). It is red in the folder as well, or
              needs what no setting brings: git's history, a
              terminal, CI to be unset.

    note      data/ is ignored and too large to be tried; room:
              files brings it.

    Next: run test in this folder and make it green there, then:
    loop check. If it has to turn green, say must: turn-green
    for it in loop.yaml
    "
  `);
});

test("all other states of a check", () => {
  const checks = [
    check({ name: "empty", looks: "empty", tests: 0 }),
    check({ name: "flaky", looks: "flaky", how: "red", isFit: false }),
    check({
      name: "slow",
      looks: "red",
      how: "timed-out",
      isFit: false,
      diagnosis: { is: "undecided", runs: 25, ms: 590_000, untried: [] },
    }),
    check({ name: "todo", looks: "red", how: "red", must: "turn-green", isFit: true }),
    check({ name: "done", must: "turn-green", isFit: false }),
  ];
  expect(
    text({ project: project({ checks, isFit: false }), exitCode: 1, next: "make flaky steady, then: loop check" }),
  ).toMatchInlineSnapshot(`
    "checkout  laid over this folder's own path
    kept      node_modules, 276 MB in 1.2 s
    build     none
    files     34 product, 61 protected (loop status --seal)

    ! empty   npm test
              green, 4.2 s; it runs no test: it proves nothing
              until it has some

    ✗ flaky   npm test
              flaky: red and green on the same files, 4.2 s
              /home/pat/.local/state/loopwright/shop-0f3a/check/1-ab/files/output/check-test.txt

    ✗ slow    npm test
              red in the clean checkout, stopped at its time
              limit (timeout_s)
              /home/pat/.local/state/loopwright/shop-0f3a/check/1-ab/files/output/check-test.txt
              Nothing that was tried makes it green (25 trials,
              10 min; the search ends at 25 trials or 10 min).

    ✓ todo    npm test
              red, and has to turn green, 4.2 s

    ✗ done    npm test
              green already, and has to turn green, 4.2 s
              /home/pat/.local/state/loopwright/shop-0f3a/check/1-ab/files/output/check-test.txt

    The checks of a proof take about, per feature: quick 12 s,
    standard 31 s, deep 65 s.

    Next: make flaky steady, then: loop check
    "
  `);
});

test("no line but a path is wider than 60 columns", () => {
  const additions = [
    { is: "build", run: "npm run generate" },
    dotenv,
    { is: "file", path: "packages/storefront/generated/" },
    { is: "env", name: "STOREFRONT_DATABASE_URL" },
  ] as const;
  const diagnosis = { is: "found", additions, smallest: false, runs: 25, ms: 190_000, untried: [] } as const;
  const red = check({ looks: "red", how: "unready", isFit: false, tail: `error: ${"long ".repeat(50)}`, diagnosis });
  const keys = {
    build: "npm run generate",
    room: { files: [".env", "packages/storefront/generated"], env: ["STOREFRONT_DATABASE_URL"] },
  };
  const wide = text({ project: project({ checks: [red], additions, isFit: false }), keys, exitCode: 1 })
    .split("\n")
    .filter((line) => Array.from(line).length > 60);
  expect(wide.filter((line) => !line.trim().startsWith("/home/pat/"))).toEqual([]);
});

describe("the first lines of a failure", () => {
  test("start at the failure, without frames of the runtime", () => {
    expect(firstLines(missing)).toEqual([
      "not ok 1 - reads its settings",
      "  Error: ENOENT: no such file or directory,…",
      "# pass 127",
      "# fail 1",
    ]);
  });

  test.each(["ℹ fail 2", "# fail 0", "Tests: 1 failed, 3 passed", "failing tests:"])(
    "do not begin with %j",
    (summary) => {
      expect(firstLines(`${summary}\nError: it broke`)[0]).toBe("Error: it broke");
    },
  );

  test("are the end if no failure is found", () => {
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    expect(firstLines(lines.join("\n")).at(-1)).toBe("line 19");
  });

  test("contain no control characters", () => {
    expect(firstLines("\u001b[31mError: \u001b]0;title\u0007x\u001b[0m")).toEqual(["Error: x"]);
  });
});
