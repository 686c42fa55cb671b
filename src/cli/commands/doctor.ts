// loop doctor: what is installed, what would be used, and what is wrong. Spends nothing, changes nothing, and runs no
// program that the repository names.
import { dirname, join } from "node:path";
import { UserError } from "../../core/errors.ts";
import type { Engine } from "../../engines/engine.ts";
import { readIfPossible } from "../../engines/watch.ts";
import type { Settings } from "../../formats/config/settings.ts";
import { waysOf } from "../../notify/channels.ts";
import { namedLines, requireTrust, untrusted } from "../../project/config/trust.ts";
import { agentFindings } from "../../project/doctor/agents.ts";
import { checkFindings } from "../../project/doctor/checks.ts";
import { configured, featureFindings } from "../../project/doctor/configuration.ts";
import { type Finding, found } from "../../project/doctor/finding.ts";
import { folderFinding, vaultFinding } from "../../project/doctor/folder.ts";
import { journalFindings } from "../../project/doctor/journal.ts";
import { machineFindings } from "../../project/doctor/machine.ts";
import { wallsFindings } from "../../project/doctor/walls.ts";
import { whoDrives } from "../../project/place/who-drives.ts";
import { standingOf, stateWords } from "../../report/state.ts";
import { count } from "../../report/words/words.ts";
import { contextOf, type GlobalFlags } from "../context.ts";
import { answers } from "../json/answer-shapes.ts";
import { printAnswer } from "../json/print.ts";
import { columnsOf } from "../render/columns.ts";
import type { Paint } from "../render/paint.ts";
import { wrapped } from "../render/wrap.ts";

export async function doctor(flags: GlobalFlags): Promise<number> {
  const context = contextOf(flags);
  const { root, engine, paint } = context;
  const known = configured(root);
  const isValid = known.findings.every(({ is }) => is !== "bad");
  if (flags.trust === true && isValid) requireTrust(root, true);
  const findings: Finding[] = [
    ...machineFindings(),
    ...(await found("workspace", () => folderFinding(root, known.settings))),
    ...known.findings,
    ...(isValid ? trustFindings(root) : []),
    ...(await found("features", () => featureFindings(root))),
    ...(await found("agents", () => agentFindings(root, known))),
    ...(await found("walls", () => wallsFindings(known.settings, root))),
    notifyFinding(known.settings),
    ...(await found("check", () => checkFindings(root, known.settings))),
    ...(await found("vault", async () => [vaultFinding(root, count((await engine.runs()).length, "run"))])),
    ...(await found("run", () => runFindings(root, engine))),
  ];
  const code = findings.some(({ is }) => is === "bad") ? 1 : 0;
  if (context.json) printAnswer(answers.doctor, { findings }, code);
  else context.answer(wrapped(findings.map((finding) => text(finding, paint)).join(""), columnsOf(process.stdout)));
  return code;
}

function text({ what, is, says, next }: Finding, paint: Paint): string {
  const mark = { good: paint.green("✓"), bad: paint.red("✗"), note: paint.yellow("·") }[is];
  const lines = [...says.split("\n"), ...(next === undefined ? [] : [`Next: ${next}`])];
  return `${mark} ${what.padEnd(11)} ${lines.join(`\n${" ".repeat(14)}`)}\n`;
}

function notifyFinding({ notify }: Settings): Finding {
  const ways = waysOf(notify);
  const isReached = ways.some((way) => way !== "bell" && way !== "title");
  return {
    what: "notify",
    is: ways.length > 0 ? "good" : "note",
    says: `${ways.length === 0 ? "off" : ways.join(", ")}\n${isReached ? "not sent" : "seen only at this terminal"}: loop notify --test ${isReached ? "sends a message" : "names more ways"}`,
  };
}

/** Until the person agrees, nothing that the repository names is run, not even to ask for its version. */
function trustFindings(root: string): Finding[] {
  const unagreed = untrusted(root);
  if (unagreed === null) return [];
  const says = [`${unagreed.file} names what you have not agreed to yet:`, ...namedLines(unagreed.named)].join("\n");
  return [{ what: "trust", is: "note", says, next: "Read it. loop run asks at a terminal; elsewhere say --trust." }];
}

async function whyUnreadable(engine: Engine, run: string): Promise<Pick<Finding, "says" | "next">> {
  try {
    await engine.read(run);
  } catch (error) {
    if (error instanceof UserError) return { says: `Run ${run} cannot be read. ${error.why}`, next: error.next };
    throw error;
  }
  return { says: `Run ${run} could not be read just now.`, next: "loop doctor" };
}

async function runFindings(root: string, engine: Engine): Promise<Finding[]> {
  const holder = await whoDrives(root);
  const [latest] = await engine.runs();
  const story = latest === undefined ? null : await readIfPossible(engine, latest);
  const lock: Finding[] =
    holder === null
      ? []
      : [
          {
            what: "lock",
            is: "note",
            says: `held by process ${holder.owner?.pid ?? "?"}: ${holder.owner?.about ?? ""}`,
          },
        ];
  if (latest === undefined) return lock;
  if (story === null) return [...lock, { what: "run", is: "bad", ...(await whyUnreadable(engine, latest)) }];
  const { isDriven, worktree, pathOf } = await engine.read(latest);
  const path = pathOf?.("events.jsonl");
  const { state, why, next } = standingOf(story.run, isDriven);
  return [
    ...lock,
    ...(isDriven || path === undefined
      ? []
      : journalFindings({
          run: latest,
          vaultDir: dirname(path),
          mirrorDir: join(worktree?.dir ?? root, ".loop", "tasks", story.chronicle.task, "runs", latest),
        })),
    {
      what: "run",
      is: state === "over" || state === "running" ? "good" : "note",
      says: `${latest} is ${stateWords[state]}: ${why}`,
      ...(state === "over" ? {} : { next }),
    },
  ];
}
