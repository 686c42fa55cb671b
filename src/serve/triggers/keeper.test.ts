// The keeper and a folder that is missing for a while: unmounted, or moved and moved back.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { UserError } from "../../core/errors.ts";
import type { Order } from "../driver-order.ts";
import { workspaceAtGlance } from "../looks.ts";
import { register, unregister } from "../registry.ts";
import { secretsOf } from "../serve.ts";
import { Workspaces } from "../workspaces.ts";
import { configuredIn } from "./configured.ts";
import { confirmable } from "./confirmed.ts";
import { FiringLog } from "./firing-log.ts";
import { Keeper } from "./keeper.ts";
import { triggerRoutes } from "./routes.ts";

let dir = "";
let log: FiringLog | null = null;
afterEach(() => {
  log?.close();
  fs.rmSync(dir, { recursive: true, force: true });
});

/** Two workspaces, each with a trigger that is called by hand. */
function kept() {
  dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "loop-keeper-")));
  const registry = join(dir, "workspaces.json");
  const roots = ["one", "two"].map((name) => join(dir, name));
  for (const root of roots) {
    fs.mkdirSync(root);
    fs.writeFileSync(join(root, "loop.yaml"), "triggers:\n  - { name: t, git: { branch: main }, overlap: queue }\n");
    register(registry, root, confirmable(root));
  }
  const driven: string[] = [];
  const begins = { now: Promise.resolve("begun") };
  const drive = (order: { readonly root: string }): Promise<string> => {
    driven.push(order.root);
    return begins.now;
  };
  log = new FiringLog(join(dir, "firings.jsonl"), 0);
  const workspaces = new Workspaces(registry);
  const keeper = new Keeper({ log, workspaces, drive, now: () => 0 });
  const [one = "", two = ""] = roots;
  return {
    keeper,
    registry,
    driven,
    begins,
    one,
    two,
    workspaces,
    fire(root: string): void {
      const served = workspaces.all().find((each) => each.root === root);
      if (served === undefined) throw new Error(`${root} is not registered`);
      keeper.accept(root, keeper.find(served, "t"), {
        mark: null,
        keys: [],
        cause: "by hand",
        values: {},
        source: "a person",
      });
    },
    async ticks(): Promise<string[]> {
      for (let n = 0; n < 5; n++) {
        await keeper.tick();
        while (keeper.isStarting) await turn();
      }
      return [...keeper.state.firings.values()].map(({ status }) => status);
    },
    problem: (root: string) => {
      const served = workspaces.all().find((each) => each.root === root);
      return served === undefined ? null : (configuredIn(served).problem?.why ?? null);
    },
  };
}

test("a firing whose folder is missing waits until the folder is back, and holds up no other workspace", async () => {
  const { fire, ticks, driven, one, two, problem, workspaces } = kept();
  fire(one);
  fs.renameSync(one, `${one}-away`);
  fire(two);
  expect([await ticks(), driven]).toEqual([["queued", "ended"], [two]]);
  expect(problem(one)).toContain("is missing");
  const [away] = workspaces.all();
  expect(away && (await workspaceAtGlance(away)).problem).toContain(`The folder ${one} is missing.`);
  fs.renameSync(`${one}-away`, one);
  expect([await ticks(), driven, problem(one)]).toEqual([["ended", "ended"], [two, one], null]);
});

test("a firing in an empty mount point waits until the disk is mounted", async () => {
  const { fire, ticks, driven, one } = kept();
  fire(one);
  fs.renameSync(one, `${one}-disk`);
  fs.mkdirSync(one);
  expect([await ticks(), driven]).toEqual([["queued"], []]);
  fs.rmdirSync(one);
  fs.renameSync(`${one}-disk`, one);
  expect([await ticks(), driven]).toEqual([["ended"], [one]]);
});

test("a firing that waits in the queue does not begin while changed triggers are not confirmed", async () => {
  const { fire, ticks, driven, one } = kept();
  fire(one);
  fs.appendFileSync(join(one, "loop.yaml"), "limits: { per_day_usd: 1000 }\n");
  expect([await ticks(), driven]).toEqual([["queued"], []]);
});

test("no run gets the secret of a webhook, also while its trigger is not confirmed", () => {
  const { one, workspaces } = kept();
  const yaml = "triggers:\n  - { name: t, webhook: { from: json, secret_env: HOOK_SECRET } }\n";
  fs.writeFileSync(join(one, "loop.yaml"), yaml);
  expect(secretsOf(workspaces)).toEqual(["HOOK_SECRET"]);
});

test("firings are listed while the folder of one of them is missing, and its problem is named", async () => {
  const { keeper, fire, ticks, workspaces, one, two } = kept();
  fire(one);
  fire(two);
  await ticks();
  fs.renameSync(one, `${one}-away`);
  const route = triggerRoutes(workspaces, keeper, { env: {}, hasPort: false, hooksAt: () => null }).find(
    ({ path }) => path === "/api/v1/firings",
  );
  if (route === undefined || !("look" in route)) throw new Error("no route");
  expect(await route.look({ at: {}, person: { name: "anybody", may: "write" }, from: "here" })).toMatchObject({
    firings: [
      { trigger: "t", problem: null },
      { trigger: "t", problem: expect.stringContaining(`The folder ${one} is missing.`) },
    ],
  });
});

test("a loop.yaml that cannot be read is the problem of its workspace alone", async () => {
  const { problem, one, two, workspaces } = kept();
  fs.rmSync(join(one, "loop.yaml"));
  expect(problem(one)).toBe(`There is no loop.yaml in ${one}. Its firings wait for it.`);
  fs.mkdirSync(join(one, "loop.yaml"));
  expect([problem(one), problem(two)]).toEqual([expect.any(String), null]);
  expect(secretsOf(workspaces)).toEqual([]);
});

/** One firing whose run is being begun, until `end` is called. */
async function beginning(overlap: string) {
  const at = kept();
  fs.writeFileSync(
    join(at.one, "loop.yaml"),
    `triggers:\n  - { name: t, git: { branch: main }, overlap: ${overlap} }\n`,
  );
  register(at.registry, at.one, confirmable(at.one));
  let [resolve, reject] = [(_run: string): void => {}, (_error: Error): void => {}];
  at.begins.now = new Promise<string>((...settle) => ([resolve, reject] = settle));
  at.fire(at.one);
  await at.keeper.tick();
  await until(() => at.driven.length === 1);
  const settled = (act: () => void) => async () => {
    act();
    at.begins.now = Promise.resolve("begun");
    while (at.keeper.isStarting) await turn();
  };
  const lines = () =>
    fs
      .readFileSync(join(dir, "firings.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type);
  return {
    ...at,
    end: settled(() => resolve("begun")),
    refuse: (error: Error) => settled(() => reject(error))(),
    lines,
  };
}

const statusesIn = ({ state }: Keeper): string[] => [...state.firings.values()].map(({ status }) => status);

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

test("a firing that is being begun is on record before its run can exist, and a later one waits for it", async () => {
  const { keeper, fire, one, end, ticks, driven, lines } = await beginning("replace");
  expect(lines()).toEqual(["fired", "beginning"]);
  fire(one);
  await keeper.tick();
  expect([statusesIn(keeper), driven]).toEqual([["beginning", "queued"], [one]]);
  await end();
  expect(statusesIn(keeper)).toEqual(["begun", "queued"]);
  expect([await ticks(), driven]).toEqual([
    ["ended", "ended"],
    [one, one],
  ]);
});

test("a firing that is being begun when its workspace is taken out is recorded with what became of its run", async () => {
  const { keeper, end, ticks, one, registry, lines } = await beginning("queue");
  unregister(registry, one);
  await keeper.tick();
  expect(statusesIn(keeper)).toEqual(["beginning"]);
  await end();
  expect([await ticks(), lines()]).toEqual([["ended"], ["fired", "beginning", "begun", "ended"]]);
});

test("a firing that could not be begun because the folder is in use waits again, and can be replaced", async () => {
  const { keeper, fire, one, refuse, lines } = await beginning("replace");
  await refuse(new UserError("workspace-locked", { what: "x", why: "y", next: "z" }));
  expect([statusesIn(keeper), lines()]).toEqual([["queued"], ["fired", "beginning", "requeued"]]);
  fire(one);
  expect(statusesIn(keeper)).toEqual(["dropped", "queued"]);
});

test("a firing that a server was beginning when it was killed is begun by the next one, with the same bound", async () => {
  const { one, end, workspaces } = await beginning("queue");
  await end();
  log?.close();
  const path = join(dir, "firings.jsonl");
  const lines = fs.readFileSync(path, "utf8").replace('"costUsdMax":25', '"costUsdMax":3').split("\n");
  fs.writeFileSync(
    path,
    lines
      .slice(0, 2)
      .map((line) => `${line}\n`)
      .join(""),
  );
  const orders: Order[] = [];
  log = new FiringLog(path, 0);
  const drive = (order: Order): Promise<string> => {
    orders.push(order);
    return Promise.resolve("begun");
  };
  const next = new Keeper({ log, workspaces, drive, now: () => 0 });
  await next.tick();
  while (next.isStarting) await turn();
  expect(orders).toMatchObject([{ root: one, job: { do: "begin", flags: { limits: { cost_usd: 3 } } } }]);
  expect(statusesIn(next)).toEqual(["begun"]);
});

test.each([
  ["a pipe", (path: string) => void execFileSync("mkfifo", [path])],
  ["a link to a device that never ends", (path: string) => fs.symlinkSync("/dev/zero", path)],
])("a loop.yaml that is %s is the problem of its workspace alone, at once", (_title, make) => {
  const { problem, one, two } = kept();
  fs.rmSync(join(one, "loop.yaml"));
  make(join(one, "loop.yaml"));
  expect([problem(one), problem(two)]).toEqual([expect.stringContaining(join(one, "loop.yaml")), null]);
});

test("a loop.yaml of more than a megabyte is not parsed", () => {
  const { problem, one, two } = kept();
  fs.appendFileSync(join(one, "loop.yaml"), `# ${"x".repeat(1 << 20)}\n`);
  expect([problem(one), problem(two)]).toEqual([expect.stringContaining("It is larger than 1024 kB."), null]);
});

test("a run whose folder is missing is not called over", async () => {
  const { keeper, fire, ticks, one } = kept();
  fire(one);
  await keeper.tick();
  while (keeper.isStarting) await turn();
  fs.renameSync(one, `${one}-away`);
  expect(await ticks()).toEqual(["begun"]);
});

test("what waits for a trigger is dropped once the person has taken the trigger out, and not before", async () => {
  const { fire, ticks, begins, one, registry } = kept();
  begins.now = new Promise(() => {});
  fire(one);
  const keeping = ticks();
  await turn();
  fire(one);
  fs.writeFileSync(join(one, "loop.yaml"), "triggers:\n  - { name: other, git: { branch: main } }\n");
  void keeping;
  const statuses = () => [...(log?.state.firings.values() ?? [])].map(({ status, note }) => [status, note]);
  expect(statuses().at(-1)).toEqual(["queued", null]);
  register(registry, one, confirmable(one));
  void ticks();
  for (let n = 0; n < 50; n++) await turn();
  expect(statuses().at(-1)).toEqual(["dropped", "Its trigger was removed or renamed."]);
});
