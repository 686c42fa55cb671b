// Plays a composite action as a runner of GitHub does: expressions only where GitHub takes them, each step with bash.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";

const root = fileURLToPath(new URL("../..", import.meta.url));
const step = z.strictObject({
  name: z.string(),
  id: z.string().optional(),
  shell: z.literal("bash").optional(),
  "working-directory": z.string().optional(),
  env: z.record(z.string(), z.string()).default({}),
  run: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.string()).default({}),
});
const schema = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputs: z.record(z.string(), z.strictObject({ description: z.string(), default: z.string() })),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.strictObject({ using: z.literal("composite"), steps: z.array(step) }),
});

export type Played = {
  /** Of the first step that failed; 0: none. */
  readonly code: number;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  /** What would have been uploaded: the names of the files below the path. */
  readonly uploaded: Readonly<Record<string, readonly string[]>>;
};
export type Job = {
  readonly workspace: string;
  readonly temp: string;
  readonly env: Readonly<Record<string, string>>;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly event?: Readonly<Record<string, string>>;
};

export const readAction = (path: string) => schema.parse(parse(fs.readFileSync(join(root, path), "utf8")));

export function play(path: string, job: Job): Played {
  const { inputs: declared, outputs, runs } = readAction(path);
  const known: Record<string, string> = { "github.workspace": job.workspace };
  for (const [name, value] of Object.entries(job.event ?? {})) known[`github.event.${name}`] = value;
  const filled = (text: string): string => text.replace(/\$\{\{ *([\w.-]+) *\}\}/g, (_, name) => known[name] ?? "");
  for (const [name, { default: value }] of Object.entries(declared))
    known[`inputs.${name}`] = job.inputs?.[name] ?? filled(value);
  const files = fs.mkdtempSync(join(job.temp, "job-"));
  const file = (name: string): string => join(files, name);
  fs.writeFileSync(file("summary"), "");
  const uploaded: Record<string, string[]> = {};
  let [code, log] = [0, ""];
  for (const { id = "", run, uses, env, with: given, ...more } of runs.steps) {
    if (code !== 0) break;
    if (uses !== undefined) {
      const [name = "", from = ""] = [given["name"], given["path"]].map((text) => filled(text ?? ""));
      uploaded[name] = fs.readdirSync(from, { recursive: true, encoding: "utf8" }).sort();
      continue;
    }
    fs.writeFileSync(file("script"), run ?? "");
    fs.writeFileSync(file("output"), "");
    const played = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", file("script")], {
      cwd: filled(more["working-directory"] ?? job.workspace),
      env: {
        ...job.env,
        GITHUB_ACTIONS: "true",
        GITHUB_ACTION_PATH: dirname(join(root, path)),
        GITHUB_OUTPUT: file("output"),
        GITHUB_STEP_SUMMARY: file("summary"),
        GITHUB_WORKSPACE: job.workspace,
        RUNNER_TEMP: job.temp,
        ...Object.fromEntries(Object.entries(env).map(([name, text]) => [name, filled(text)])),
      },
      encoding: "utf8",
    });
    code = played.status ?? 1;
    log += played.stdout + played.stderr;
    for (const [name, value] of outputsIn(fs.readFileSync(file("output"), "utf8")))
      known[`steps.${id}.outputs.${name}`] = value;
  }
  return {
    code,
    log,
    outputs: Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, filled(value)])),
    summary: fs.readFileSync(file("summary"), "utf8"),
    uploaded,
  };
}

/** As the runner reads the file: `name<<END`, lines, `END`. */
function outputsIn(text: string): [string, string][] {
  return Array.from(text.matchAll(/^([\w-]+)<<(.+)\n([\s\S]*?)\n\2\n/gm), ([, name = "", , value = ""]) => [
    name,
    value,
  ]);
}
