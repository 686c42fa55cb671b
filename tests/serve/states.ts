// Workspaces in every state that a page can show, of one person, on one server.
import { type Files, Project, until } from "../support/project.ts";
import { builder, evaluator, eventful, feature, lie, right, sampleFiles, tamper } from "../support/sample.ts";
import { Served } from "./served.ts";

export const attack = `</script></style></title></textarea><script>window.pwned=1</script><img src=x onerror="window.pwned=2"><svg onload="window.pwned=3">" onfocus="window.pwned=4" autofocus x="`;
const unbroken = "unbroken".repeat(40);
export const hostile = `${attack}\u202eevil\u202c \u001b[31mred\u001b[0m \u2028data: x {{x}} \${y} <!-- ${unbroken}`;

const yaml = sampleFiles([], [])["loop.yaml"] ?? "";
const gated = (gate: string) => ({ "loop.yaml": `${yaml}gates: [${gate}]\n` });
const one = [feature("F001")];
const built = [builder("F001", 1, right("F001")), evaluator];
const sleeping = builder("F001", 1, [
  { do: "run", command: "echo working" },
  { do: "write", path: "src/half.js", text: "// half\n" },
  { do: "sleep", ms: 600_000 },
]);
const untested = (id: string) => right(id).filter(({ path }) => path !== `test/${id}.test.js`);
const attackName = attack.replaceAll("/", "_").slice(0, 180);
/** What it prints, what it calls a file, and what is in it: in the session's lines and in the diff. */
const hostileSteps = [
  { do: "run", command: `printf '%s\\n' '${attack}'` },
  { do: "write", path: `src/${attackName}-new.js`, text: `// ${attack}\n` },
];
const permission = {
  do: "reply",
  reply: { status: "needs-permission", summary: "x", tests: ["test/old.test.js"], reason: hostile },
};

const states = {
  empty: sampleFiles(built, one),
  G1: sampleFiles(built, one, {
    "loop.yaml": `${yaml.replace("sh run-tests.sh", JSON.stringify(`sh run-tests.sh # ${attack}`))}gates: [G1]\n`,
  }),
  G2: sampleFiles(built, one, gated("G2")),
  G3: sampleFiles(built, one, gated("G3")),
  question: sampleFiles(
    [
      builder("F001", 1, lie),
      builder("F001", 2, [...right("F001").slice(0, -1), { do: "reply", reply: { status: "done", summary: hostile } }]),
      // The request itself is F004.
      ...["F003", "F004"].map((id) =>
        builder(id, 1, [
          {
            do: "reply",
            reply: { status: "question", summary: hostile, question: { text: hostile, best_supposition: hostile } },
          },
        ]),
      ),
      evaluator,
    ],
    [
      feature("F001", { name: hostile.slice(0, 280), description: hostile }),
      feature("F003", { priority: 3, acceptance_criteria: [hostile] }),
    ],
    { [`src/${attackName}.js`]: "// a name\n" },
  ),
  unproved: sampleFiles(
    [1, 2, 3]
      .map((attempt): object => builder("F001", attempt, [...hostileSteps, ...untested("F001")]))
      .concat([evaluator]),
    one,
  ),
  contradiction: sampleFiles([builder("F001", 1, tamper("F001")), evaluator], one, {
    "loop.yaml": yaml.replace("allow: never\n", ""),
  }),
  failed: sampleFiles(
    [1, 2, 3].map((attempt): object => builder("F001", attempt, tamper("F001"))).concat([evaluator]),
    one,
  ),
  permission: sampleFiles([builder("F001", 1, [permission]), evaluator], one),
  running: sampleFiles([sleeping, evaluator], one),
  paused: sampleFiles([sleeping, evaluator], one),
  interrupted: sampleFiles([sleeping, evaluator], one),
  cancelled: sampleFiles([sleeping, evaluator], one),
  capped: sampleFiles(
    [builder("F001", 1, right("F001")), evaluator],
    [feature("F001"), feature("F002", { priority: 2 })],
    { "loop.yaml": `${yaml}limits: { iterations: 1 }\n` },
  ),
  done: eventful(),
} as const;
export type StateName = keyof typeof states;
export const stateNames = Object.keys(states) as StateName[];

export class States {
  readonly home: Project;
  readonly projects: ReadonlyMap<StateName, Project>;
  served: Served;

  private constructor(projects: ReadonlyMap<StateName, Project>, home: Project, served: Served) {
    this.projects = projects;
    this.home = home;
    this.served = served;
  }

  /** `others`: files for a state instead of the usual ones. */
  static async make(
    names: readonly StateName[] = stateNames,
    others: Partial<Record<StateName, Files>> = {},
  ): Promise<States> {
    const projects = new Map(names.map((name) => [name, new Project(others[name] ?? states[name])]));
    const home = [...projects.values()][0];
    if (home === undefined) throw new Error("no state was asked for");
    await ended(home, home, "serve", "--add", ...[...projects.values()].map(({ root }) => root));
    // A few at a time: each run is several processes.
    const left = [...projects];
    const work = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await reach(...next, home);
    };
    await Promise.all([work(), work(), work()]);
    const served = await Served.start(home);
    return new States(projects, home, served);
  }

  of(name: StateName): Project {
    const found = this.projects.get(name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  }

  /** As the person does in a terminal. */
  loop(name: StateName, ...args: string[]) {
    return ended(this.home, this.of(name), ...args);
  }

  async path(name: StateName): Promise<string> {
    const { root } = this.of(name);
    type Listed = { workspaces: { id: string; root: string; latest: { run: string } | null }[] };
    const { workspaces } = await this.served.get<Listed>("/workspaces");
    const found = workspaces.find((each) => each.root === root);
    return found?.latest == null ? "/" : `/workspaces/${found.id}/runs/${found.latest.run}`;
  }

  async restart(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const { port } = this.served;
    await this.served.stop(signal);
    this.served = await Served.start(this.home, ["--port", String(port)]);
  }

  async remove(): Promise<void> {
    await this.served.stop("SIGKILL");
    for (const project of this.projects.values()) for (const pid of project.strays()) end(pid);
    await until("no process left", () => [...this.projects.values()].every((each) => each.strays().length === 0));
    for (const project of this.projects.values()) project.remove();
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {}
}

const ended = (home: Project, project: Project, ...args: string[]) =>
  new Promise<number | null>((resolve) => {
    const child = project.start(args, home.env);
    child.stdout?.resume();
    child.stderr?.resume();
    child.once("close", resolve);
  });

/** Begun by a terminal: the server finds it. */
async function reach(name: StateName, project: Project, home: Project): Promise<void> {
  if (name === "empty") return;
  const request = name === "question" ? [hostile, "--yes"] : [];
  if (!["running", "paused", "interrupted", "cancelled"].includes(name)) {
    await ended(home, project, "run", ...request);
    return;
  }
  const child = project.start(["run"], home.env);
  child.stdout?.resume();
  child.stderr?.resume();
  const over = new Promise((resolve) => child.once("close", resolve));
  await until("the session at work", () => project.exists("src/half.js"), 60_000);
  if (name === "running") return;
  if (name === "interrupted") child.kill("SIGKILL");
  else await ended(home, project, name === "paused" ? "pause" : "cancel");
  await over;
}
