// Large inputs that a person or an agent can cause: the run continues, and its journal stays readable.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const longestLine = (of: Project): number => {
  const journal = fs.readFileSync(join(of.runs().at(-1) ?? "", "events.jsonl"), "utf8");
  return Math.max(...journal.split("\n").map(({ length }) => length));
};

test("500 features of 2,000 characters, added and then edited during a run, are worked on", {
  timeout: 180_000,
}, async () => {
  const scenes = [...["F001", "F002", "F100"].map((id) => builder(id, 1, right(id))), evaluator];
  project = new Project(sampleFiles(scenes, [feature("F001"), feature("F002")]));
  const first = await project.loop("run", "--iterations", "1");
  expect(first.code, first.stderr).toBe(3);
  const queue = JSON.parse(project.read("docs/FEATURES.json")) as { features: object[] };
  const more = Array.from({ length: 498 }, (_, n) =>
    feature(`F${n + 100}`, { priority: 9, description: "x".repeat(2000) }),
  );
  project.write({ "docs/FEATURES.json": `${JSON.stringify({ ...queue, features: [...queue.features, ...more] })}\n` });
  const second = await project.loop("continue", "--iterations", "2");
  expect(second.code, second.stdout + second.stderr).toBe(3);
  expect(project.exists("src/F002.js")).toBe(true);
  project.write({ "docs/FEATURES.json": project.read("docs/FEATURES.json").replaceAll('"xxx', '"A word, xxx') });
  const third = await project.loop("continue", "--iterations", "3");
  expect(third.code, third.stdout + third.stderr).toBe(3);
  expect(project.exists("src/F100.js")).toBe(true);
  expect(project.read("docs/FEATURES.json").match(/"A word, xxx/g)).toHaveLength(498);
  expect(longestLine(project)).toBeLessThan(64 * 1024);
  const status = await project.loop("status", "--json");
  expect([status.code, status.stdout.length > 0]).toEqual([0, true]);
});

test("a reply of 5 MB is read, shortened and recorded", { timeout: 120_000 }, async () => {
  const long = { do: "reply", reply: { status: "done", summary: "word ".repeat(1 << 20) } };
  const steps = right("F001").map((step) => (step["do"] === "reply" ? long : step));
  project = new Project(sampleFiles([builder("F001", 1, steps), evaluator], [feature("F001")]));
  const { code, stdout, stderr } = await project.loop("run");
  expect(code, stdout + stderr).toBe(0);
  expect(longestLine(project)).toBeLessThan(64 * 1024);
  expect((await project.loop("report")).code).toBe(0);
});

test("40,000 files that an agent leaves are refused soon, as too large to prove", { timeout: 120_000 }, async () => {
  const script =
    'for (let at = 0; at < 40000; at += 1) { const dir = "src/many/" + Math.floor(at / 1000); fs.mkdirSync(dir, { recursive: true }); fs.writeFileSync(dir + "/" + at, String(at)); }';
  const steps = [{ do: "run", command: `node --eval '${script}'` }, ...right("F001")];
  const files = sampleFiles([builder("F001", 1, steps), evaluator], [feature("F001")]);
  project = new Project({ ...files, "loop.yaml": `${files["loop.yaml"]}limits: { rework: 0 }\n` });
  const { code, stdout, stderr } = await project.loop("run");
  expect(code, stdout + stderr).toBe(7);
  expect(stdout).toContain("The change is too large to prove: 40004 lines in 40002 files");
  expect(project.exists("src/many")).toBe(false);
});

test("a signal file of garbage is set aside and reported, and the run continues", { timeout: 120_000 }, async () => {
  const box =
    'for run in "$HOME"/state/loopwright/*/runs/*; do mkdir -p "$run/signals"; head -c 5000 /dev/urandom > "$run/signals/000000000000001-x.json"; done';
  const steps = [{ do: "run", command: box }, ...right("F001")];
  project = new Project(sampleFiles([builder("F001", 1, steps), evaluator], [feature("F001")]));
  const { code, stdout, stderr } = await project.loop("run");
  expect(code, stdout + stderr).toBe(0);
  expect(project.events()).toContainEqual(expect.objectContaining({ type: "noted", about: "signal" }));
  expect(fs.readdirSync(join(project.runs().at(-1) ?? "", "signals", "aside"))).toHaveLength(1);
});
