// A project on which the built command line drives real agents over a scripted model: the whole loop, from outside.
import type { ChildProcess } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { costOf, priceOf } from "../../src/agents/prices.ts";
import type { Usage } from "../../src/core/session.ts";
import {
  type LogEntry,
  type ModelRequest,
  type ModelServer,
  rounds,
  type Script,
  type Step,
  startModelServer,
} from "../../src/testing/model/index.ts";
import { type Ended, ended, Project } from "../support/project.ts";
import { feature, sampleFiles } from "../support/sample.ts";
import { tokens } from "./lab.ts";

export type AgentYaml = Readonly<Record<string, unknown>>;
export type Spent = { costUsd: number; tokens: number; estimated: boolean; sessions: number; iterations: number };
export type Status = { phase: string; waitingUntil: string | null; done: number; spent: Spent };

/** The model's answer to a request; `good` is what a good agent would do. */
export type Twist = (request: ModelRequest, good: Step) => Step | Promise<Step>;

type Env = Readonly<Record<string, string | undefined>>;

export type LoopLabOptions = {
  features?: number;
  maker: (lab: LoopLab) => AgentYaml;
  checker?: (lab: LoopLab) => AgentYaml;
  env?: Env | (() => Env);
  /** The reply is plain text, as over ACP, where no schema is enforced. */
  spoken?: boolean;
  twist?: Twist;
  /** Further keys of loop.yaml. */
  yaml?: object;
};

export class LoopLab extends Project {
  readonly server: ModelServer;
  readonly #extra: Env;

  static async open(options: LoopLabOptions): Promise<LoopLab> {
    // The script needs the project's folder, and the project needs the server's port.
    let lab: LoopLab | null = null;
    const script: Script = async (request) => {
      if (lab === null || request.side) return "ok";
      const said = await goodStep(request, lab, options.spoken === true);
      const good = typeof said === "string" ? { text: said } : said;
      return options.twist === undefined ? good : options.twist(request, good);
    };
    const server = await startModelServer({ script });
    lab = new LoopLab(server, options);
    return lab;
  }

  private constructor(server: ModelServer, options: LoopLabOptions) {
    const ids = Array.from({ length: options.features ?? 1 }, (_, index) => `F00${index + 1}`);
    super(
      sampleFiles(
        [],
        ids.map((id, index) => feature(id, { priority: index + 1 })),
      ),
    );
    this.server = server;
    const agents = { maker: options.maker(this), ...(options.checker ? { checker: options.checker(this) } : {}) };
    this.#extra = typeof options.env === "function" ? options.env() : (options.env ?? {});
    const checks = [{ name: "test", run: "sh run-tests.sh", timeout_s: 60 }];
    // JSON is YAML.
    this.write({ "loop.yaml": `${JSON.stringify({ version: 1, agents, checks, ...options.yaml }, null, 2)}\n` });
    this.git("rm", "--quiet", "rehearsal.json");
    this.git("commit", "--quiet", "--all", "--message", "agents");
  }

  override start(args: readonly string[]): ChildProcess {
    const keys = { ANTHROPIC_BASE_URL: this.server.url, ANTHROPIC_API_KEY: "dummy", OPENAI_API_KEY: "dummy" };
    const given = Object.entries({ ...keys, ...this.#extra });
    return super.start(
      args,
      Object.fromEntries(given.filter((pair): pair is [string, string] => pair[1] !== undefined)),
    );
  }

  async status(): Promise<Status> {
    return JSON.parse((await this.loop("status", "--json")).stdout) as Status;
  }

  /** Starts the command line and also returns its pid, to be killed or measured. */
  begin(...args: string[]): { pid: number; end: Promise<Ended> } {
    const child = this.start(args);
    return { pid: child.pid ?? 0, end: ended(child) };
  }

  commits(): string[] {
    return this.git("log", "--reverse", "--format=%s", "--grep=^feat").split("\n");
  }

  /** Every session's folder, in the order in which they began. */
  sessions(): string[] {
    const folder = join(this.runs().at(-1) ?? "", "sessions");
    const at = (name: string): number => launch(join(folder, name), 1)?.at ?? 0;
    return fs
      .readdirSync(folder)
      .sort((one, other) => at(one) - at(other))
      .map((name) => join(folder, name));
  }

  async close(): Promise<void> {
    await this.server.close();
    this.remove();
  }
}

export const launch = (session: string, part: number): { at: number; args: string[] } | null => {
  const path = join(session, `launch-${part}.json`);
  return fs.existsSync(path) ? JSON.parse(fs.readFileSync(path, "utf8")) : null;
};

export const claude = (path: string): AgentYaml => ({ kind: "claude", path, model: "claude-sonnet-4-5" });

/** Codex takes another provider through its own config flags. */
export const codex =
  (path: string, more: readonly string[] = []) =>
  ({ server }: LoopLab): AgentYaml => {
    const provider = `{name="lab",base_url="${server.url}/v1",env_key="OPENAI_API_KEY",wire_api="responses",request_max_retries=1,stream_max_retries=1}`;
    const args = ["-c", 'model_provider="lab"', "-c", `model_providers.lab=${provider}`, ...more];
    return { kind: "codex", path, model: "gpt-5.5", args };
  };

export const featureIn = ({ prompts }: ModelRequest): string =>
  /Feature (F\d+):/.exec(prompts.join("\n"))?.[1] ?? "F000";
export const isVerifier = ({ prompts }: ModelRequest): boolean => /^You judge work/m.test(prompts.join("\n"));
export const isResumed = ({ prompts }: ModelRequest): boolean => (prompts.at(-1) ?? "").includes("cut short");

const verdict = (criterion: string): object => ({
  verdict: "pass",
  summary: "The tests were run and pass.",
  root_cause: "",
  criteria: [{ criterion, met: true, verification: "execution output", evidence: [{ command: "sh run-tests.sh" }] }],
});
const made = { status: "done", summary: "The function is there, and its test." };

/** What a good agent does next, with the tools of either CLI. */
function goodStep(request: ModelRequest, { root }: LoopLab, spoken: boolean): Step | string | Promise<Step | string> {
  const id = featureIn(request);
  const name = id.toLowerCase();
  const source = `export const ${name} = () => "${id}";\n`;
  const test = `import assert from "node:assert/strict";\nimport { ${name} } from "../src/${id}.js";\nassert.equal(${name}(), "${id}");\n`;
  const files = { [`test/${id}.test.js`]: test, [`src/${id}.js`]: source };
  const reply = isVerifier(request) ? verdict("C1") : made;
  const work: Step[] = isVerifier(request)
    ? [run(request, "sh run-tests.sh")]
    : Object.entries(files).map(([path, text]) => write(request, root, path, text));
  const last: (Step | string)[] =
    request.api === "messages" && !spoken
      ? [{ tools: [{ name: "StructuredOutput", input: reply as Record<string, unknown> }] }, "Done."]
      : [{ text: JSON.stringify(reply) }];
  return rounds([...work, ...last])(request);
}

export const run = ({ api }: Pick<ModelRequest, "api">, command: string): Step => ({
  tools: [
    api === "messages"
      ? { name: "Bash", input: { command, description: "a command" } }
      : { name: "exec_command", input: { cmd: command } },
  ],
});

function write({ api }: ModelRequest, root: string, path: string, text: string): Step {
  if (api === "messages") return { tools: [{ name: "Write", input: { file_path: join(root, path), content: text } }] };
  const lines = text.trimEnd().split("\n");
  const patch = ["*** Begin Patch", `*** Add File: ${path}`, ...lines.map((line) => `+${line}`), "*** End Patch"].join(
    "\n",
  );
  return { tools: [{ name: "apply_patch", input: patch }] };
}

/** What the server charged: tokens of all kinds, and the list price of each answer. */
export function bill({ server }: LoopLab): { tokens: number; costUsd: number } {
  const answered = server.log.filter(({ sent }) => sent === "answered");
  const costs = answered.map((entry) => costOf(usageOf(entry), priceOf(entry.model)) ?? Number.NaN);
  const { input, output, cacheRead, cacheWrite } = server.used();
  return { tokens: input + output + cacheRead + cacheWrite, costUsd: costs.reduce((sum, cost) => sum + cost, 0) };
}
const usageOf = (entry: LogEntry): Omit<Usage, "costUsd"> => tokens(entry.usage, entry.api);

/** Processes with exactly this command line. */
export function running(...words: string[]): number[] {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid) === words.join(" "))
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replace(/\0$/, "").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** The peak memory of a process so far, in MB. */
export function peakMb(pid: number): number {
  try {
    const status = fs.readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
