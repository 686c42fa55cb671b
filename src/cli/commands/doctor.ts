// loop doctor: what is installed, what would be used, and what is wrong. Spends nothing and changes nothing.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import type { Contract } from "../../core/contract.ts";
import { UserError } from "../../core/errors.ts";
import type { Engine } from "../../engines/engine.ts";
import { makeAgent } from "../../project/agents.ts";
import { agentsHere } from "../../project/agents-here.ts";
import { onPath } from "../../project/detect.ts";
import { planRun } from "../../project/plan-run.ts";
import { namedLines, requireTrust, untrusted } from "../../project/trust.ts";
import { sayWalls } from "../../project/walls.ts";
import { whoDrives } from "../../project/who-drives.ts";
import { count } from "../../report/words/words.ts";
import { obstacle } from "../../runtime/preflight.ts";
import { version } from "../../version.ts";
import { openWorkspace } from "../../workspace/open.ts";
import { vaultDirFor } from "../../workspace/vault.ts";
import { contextOf, type GlobalFlags } from "../context.ts";

type Finding = {
  readonly what: string;
  readonly is: "good" | "bad" | "note";
  readonly says: string;
  readonly next?: string;
};

export async function doctor(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  if (flags.trust === true) requireTrust(context.root, true);
  const { root, paint } = context;
  const findings: Finding[] = [
    { what: "loop", is: "good", says: `${version} on Node ${process.versions.node}` },
    ...(await each([
      () => gitFinding(root),
      () => planFindings(root),
      () => wallsFinding(root),
      () => otherAgents(root),
      () => workspaceFinding(root),
      () => vaultFinding(root, context.engine),
      () => runFinding(root, context.engine),
    ])),
  ];
  if (context.json) context.answer(`${JSON.stringify({ version: 1, findings }, null, 2)}\n`);
  else {
    const mark = { good: paint.green("✓"), bad: paint.red("✗"), note: paint.yellow("·") };
    context.answer(
      findings
        .map(
          ({ what, is, says, next }) =>
            `${mark[is]} ${what.padEnd(11)} ${says.split("\n").join(`\n${" ".repeat(14)}`)}${next === undefined ? "" : `\n${" ".repeat(14)}Next: ${next}`}\n`,
        )
        .join(""),
    );
  }
  return findings.some(({ is }) => is === "bad") ? 1 : 0;
}

/** What an error is about, as the left column names it. */
const subjects: Readonly<Record<string, string>> = {
  "no-agent": "agents",
  "no-checks": "check",
  "bad-config": "loop.yaml",
  "bad-features": "features",
  "not-a-repository": "git",
};

/** One problem must not prevent the other checks. */
async function each(looks: readonly (() => Promise<Finding[]>)[]): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const look of looks) {
    try {
      found.push(...(await look()));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      // Several looks begin with the same configuration: what is wrong with it is said once.
      const trouble: Finding = {
        what: subjects[error.code] ?? "problem",
        is: "bad",
        says: error.why,
        next: error.next,
      };
      if (!found.some(({ says }) => says === trouble.says)) found.push(trouble);
    }
  }
  return found;
}

async function gitFinding(root: string): Promise<Finding[]> {
  const path = onPath("git");
  if (path === null) return [{ what: "git", is: "bad", says: "not on PATH", next: "Install git, or use --no-git." }];
  const says = execFileSync(path, ["--version"], { cwd: root, encoding: "utf8" }).trim();
  return [{ what: "git", is: "good", says }];
}

const loginText = { yes: ", logged in", no: ", not logged in", unknown: "" };

/** Agents on this machine that are not configured here and could be used instead. */
async function otherAgents(root: string): Promise<Finding[]> {
  const { agents, env } = planRun({ root, request: "a look", flags: {}, isLook: true });
  const used = [agents.maker?.kind ?? "", agents.checker?.kind ?? ""];
  return (await agentsHere(root, untrusted(root).length === 0 ? env : [], used)).map(
    ({ kind, version: is, path, login }) => ({
      what: "also here",
      is: "note",
      says: `${kind} ${is} (${path})${loginText[login]}`,
    }),
  );
}

async function planFindings(root: string): Promise<Finding[]> {
  const { contract, agents, env, warnings } = planRun({ root, request: "a look", flags: {}, isLook: true });
  const findings: Finding[] = contract.checks.map(({ name, run, must }) => ({
    what: "check",
    is: "good",
    says: `${name}: ${run} (${must})`,
  }));
  if (warnings.length > 0) findings.push({ what: "features", is: "note", says: warnings.join("\n") });
  const unread = untrusted(root);
  if (unread.length > 0) return [...findings, trustFinding(unread)];
  for (const role of ["maker", "checker"] as const) {
    const settings = agents[role];
    if (settings === null) continue;
    const agent = makeAgent(settings, root, env);
    const probe = await agent.probe();
    findings.push(
      probe.found
        ? {
            what: role,
            is: probe.login === "no" ? "bad" : "good",
            says: `${settings.kind}${shownVersion(probe.version)} (${probe.path})${loginText[probe.login]}${probe.note === undefined ? "" : `\n${probe.note}`}${contextText(agent.compacts, contract)}`,
          }
        : { what: role, is: "bad", says: `${settings.kind}: ${probe.why}`, next: probe.next },
    );
  }
  return findings;
}

/** Without walls everything works, so this is a note, unless the configuration requires them. */
async function wallsFinding(root: string): Promise<Finding[]> {
  const { agents } = planRun({ root, request: "a look", flags: {}, isLook: true });
  const { text, isOff, fix } = await sayWalls(agents);
  const isRequired = Object.values(agents).some((agent) => agent?.sandbox === "require");
  if (fix === null) return [{ what: "walls", is: isOff ? "note" : "good", says: text }];
  return [{ what: "walls", is: isRequired ? "bad" : "note", says: text, next: fix }];
}

/** Until the person agrees, nothing that the repository names is run, not even to ask for its version. */
const trustFinding = (named: Parameters<typeof namedLines>[0]): Finding => ({
  what: "trust",
  is: "note",
  says: ["loop.yaml names what you have not agreed to yet, so no agent was asked:", ...namedLines(named)].join("\n"),
  next: "Read it. loop run asks at a terminal; elsewhere say --trust.",
});

const shownVersion = (is: string): string => (is === "unknown" ? "" : ` ${is}`);

/** What happens to a session whose context fills up. Empty for agents that do not report how full it is. */
function contextText(compacts: boolean | undefined, { compactPercent = 100, handoverPercent }: Contract): string {
  if (compacts === undefined) return "";
  const over = `handed over to a fresh session at ${handoverPercent} %`;
  if (compacts && compactPercent < handoverPercent) return `\ncontext: compacted at ${compactPercent} %, ${over}`;
  return `\ncontext: ${over}${compacts ? "" : "; this agent cannot be told to compact"}`;
}

async function workspaceFinding(root: string): Promise<Finding[]> {
  const { contract } = planRun({ root, request: "a look", flags: {}, isLook: true });
  const workspace = await openWorkspace({ root, vaultDir: vaultDirFor(root), kind: "git" });
  const stop = obstacle(await workspace.inspect(), contract.recordsDir);
  return [
    stop === null
      ? { what: "workspace", is: "good", says: `${root} is clean` }
      : { what: "workspace", is: "bad", says: stop.why, next: stop.next },
  ];
}

async function vaultFinding(root: string, engine: Engine): Promise<Finding[]> {
  const dir = vaultDirFor(root);
  if (!fs.existsSync(dir)) return [{ what: "vault", is: "note", says: `${dir} (none yet)` }];
  return [{ what: "vault", is: "good", says: `${dir}, ${count((await engine.runs()).length, "run")}` }];
}

async function runFinding(root: string, engine: Engine): Promise<Finding[]> {
  const holder = await whoDrives(root);
  const driven: Finding[] =
    holder === null
      ? []
      : [
          {
            what: "lock",
            is: "note",
            says: `held by process ${holder.owner?.pid ?? "?"}: ${holder.owner?.about ?? ""}`,
          },
        ];
  const [latest] = await engine.runs();
  if (latest === undefined) return driven;
  const { run, chronicle } = (await engine.read(latest)).story;
  return [...driven, { what: "journal", is: "good", says: `run ${chronicle.run} reads back whole: ${run.now.is}` }];
}
