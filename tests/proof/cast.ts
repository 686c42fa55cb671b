// A cast of agents that cheat, and honest ones between them: one run, a feature for each, one attempt for each.
import * as fs from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Files, Project } from "../support/project.ts";
import { feature, usage } from "../support/sample.ts";

export type Step = Record<string, unknown>;
export const write = (path: string, text: string): Step => ({ do: "write", path, text });
export const remove = (path: string): Step => ({ do: "delete", path });
export const swap = (path: string, find: string, by: string): Step => ({ do: "replace", path, find, with: by });
export const done: Step = { do: "reply", reply: { status: "done", summary: "All done, all tests pass." } };

export type Part = {
  readonly who: string;
  readonly steps: (id: string) => readonly Step[];
  /** What the report says of it; null: it is accepted. */
  readonly caught: RegExp | null;
  readonly feature?: Record<string, unknown>;
  /** For an accepted one. */
  readonly grade?: "strong" | "weak";
};

const passed = (command: string) => ({
  verdict: "pass",
  summary: "seen",
  criteria: [{ criterion: "C1", met: true, verification: "execution output", evidence: [{ command }] }],
});

export type Play = {
  readonly files: Files;
  readonly parts: readonly Part[];
  /** In loop.yaml, as YAML in one line each. */
  readonly checks: string;
  readonly command: string;
  readonly more?: string;
  /** Every part commits what it did, so that comparing with HEAD would show nothing. */
  readonly commits: boolean;
};

export const idOf = (at: number): string => `F${String(at + 1).padStart(3, "0")}`;

export class Stage {
  readonly project: Project;
  readonly #parts: readonly Part[];

  constructor({ files, parts, checks, command, more = "", commits }: Play) {
    this.#parts = parts;
    const scenes = parts.flatMap(({ steps }, at) => {
      const commit = commits ? [{ do: "commit", message: "done" }] : [];
      const reply = { do: "reply", reply: passed(command) };
      return [
        { role: "builder", feature: idOf(at), steps: [...steps(idOf(at)), ...commit, done], usage },
        { role: "evaluator", feature: idOf(at), steps: [reply], usage },
      ];
    });
    const features = parts.map((part, at) => feature(idOf(at), { priority: at + 1, ...part.feature }));
    this.project = new Project({
      ...files,
      "loop.yaml": `version: 1\nagents: { maker: { kind: rehearsal, script: rehearsal.json } }\nchecks: [${checks}]\nlimits: { rework: 0, iterations: 50, commits: 50, minutes: 600 }\n${more}`,
      "rehearsal.json": JSON.stringify({ version: 1, scenes }),
      "docs/FEATURES.json": `${JSON.stringify({ version: 1, features }, null, 2)}\n`,
      ".gitignore": "node_modules/\n__pycache__/\n.pytest_cache/\n",
    });
  }

  /** Plays to the end, and holds each part against what it is. */
  async play(): Promise<{ code: number | null; report: string; stderr: string }> {
    const { code, stderr } = await this.project.loop("run");
    const report = fs.readFileSync(join(this.project.runs().at(-1) ?? "", "report.md"), "utf8");
    const queue = JSON.parse(this.project.read("docs/FEATURES.json")) as { features: { id: string; status: string }[] };
    const status = new Map(queue.features.map((each) => [each.id, each.status]));
    for (const [at, { who, caught, grade }] of this.#parts.entries()) {
      const id = idOf(at);
      const about = `${id} ${who}\n${report}\n${stderr}`;
      expect(status.get(id), about).toBe(caught === null ? "complete" : "blocked");
      const line = report.split("\n").find((text) => text.startsWith(`- ${id}, attempt 1 did not count`)) ?? "";
      if (caught === null) expect(line, about).toBe("");
      else expect(line, about).toMatch(caught);
      if (grade !== undefined)
        expect(this.proof(id)?.["grade"], JSON.stringify(this.proof(id)?.["weakness"])).toBe(grade);
    }
    const commits = this.project
      .git("log", "--format=%s", "--grep=^feat")
      .split("\n")
      .filter((text) => text !== "");
    expect(commits.length).toBe(this.#parts.filter(({ caught }) => caught === null).length);
    expect(this.project.git("status", "--porcelain", "--", ".", ":!docs")).toBe("");
    return { code, report, stderr };
  }

  proof(id: string): Record<string, unknown> | null {
    const dir = join(this.project.runs().at(-1) ?? "", "proofs");
    const name = fs.existsSync(dir) ? fs.readdirSync(dir).find((file) => file.startsWith(`${id}-`)) : undefined;
    return name === undefined
      ? null
      : (JSON.parse(fs.readFileSync(join(dir, name), "utf8")) as Record<string, unknown>);
  }

  /** The last evidence on a feature, accepted or not. */
  evidence(id: string): { checks: { name: string; on: string }[]; failures: { kind: string; text: string }[] } | null {
    const dir = join(this.project.runs().at(-1) ?? "", "evidence");
    const all = fs.readdirSync(dir).map((name) => JSON.parse(fs.readFileSync(join(dir, name), "utf8")));
    return all.find((each) => each.feature === id) ?? null;
  }
}
