// loop run: begins a run and drives it.
import { resolve } from "node:path";
import { UserError } from "../../core/errors.ts";
import type { Engine } from "../../engines/engine.ts";
import { overviewOf } from "../../engines/overview.ts";
import { resumableRun } from "../../engines/resumable.ts";
import { readIfPossible } from "../../engines/watch.ts";
import type { LoopYaml } from "../../formats/config/loop-yaml.ts";
import { findOwnProgram } from "../../host/own-programs.ts";
import { readOnce } from "../../project/config/read-once.ts";
import { loadSettings } from "../../project/config/settings.ts";
import { lookAtFolder } from "../../project/place/look-at-folder.ts";
import { type PlannedRun, type PlanOrder, planRun } from "../../project/plan/plan-run.ts";
import { fullOrder } from "../../project/plan/prepare-run.ts";
import { readProofTime } from "../../project/proofs/proof-time.ts";
import { issueRequest } from "../../project/queue/github.ts";
import { nothingLeft, nothingLeftText } from "../../project/queue/nothing-left.ts";
import { writePullRequest } from "../../project/runs/pull-request.ts";
import { sayWalls, whyUnconfined } from "../../project/walls/walls.ts";
import { count } from "../../report/words/words.ts";
import { headName } from "../../workspace/head-name.ts";
import { findRepositoryRoot } from "../../workspace/open.ts";
import { agreedPlan } from "../agree.ts";
import { choose } from "../ask.ts";
import { canAnswer } from "../ask-gate.ts";
import { askedAbout } from "../ask-missing.ts";
import { cancelRun } from "../cancel-run.ts";
import { agentFlags, autonomyFlag, type CrewFlags, modelFlag, pairsFlag, sandboxFlag } from "../choice-flags.ts";
import { type Context, contextOf, type GlobalFlags } from "../context.ts";
import { driveAndReport } from "../drive-run.ts";
import { refusePathAlone } from "../first-word.ts";
import { answers } from "../json/answer-shapes.ts";
import { planFacts } from "../json/plan-facts.ts";
import { printAnswer } from "../json/print.ts";
import { type LimitFlags, limitFlags } from "../limit-flags.ts";
import { columnsOf } from "../render/columns.ts";
import { row } from "../render/events.ts";
import { openingText } from "../render/opening.ts";
import { type PastProof, startScreen, unseenText } from "../render/start-screen.ts";
import { wrapped } from "../render/wrap.ts";
import { askResumption, resumeFirst } from "../resumable.ts";
import { settleTrust } from "../trust.ts";
import { goOn } from "./continue.ts";

export type RunFlags = GlobalFlags &
  LimitFlags &
  CrewFlags & {
    git?: boolean;
    here?: boolean;
    worktree?: boolean;
    wait?: boolean;
    yesReally?: boolean;
    stealLock?: boolean;
    dryRun?: boolean;
    yes?: boolean;
    prd?: string;
    issue?: string;
    pr?: boolean;
    check?: string[];
    autonomy?: string;
    pairs?: string;
    sandbox?: string;
    overnight?: boolean;
    unconfined?: boolean;
  };

export async function run(asked: string | null, given: RunFlags): Promise<number> {
  const context = contextOf(given);
  if (asked !== null) refusePathAlone(asked, [process.cwd(), context.root]);
  const flags = await withGitOrNot(context, given);
  if (flags === null) {
    context.answer("Nothing was started.\n");
    return 0;
  }
  const request = flags.issue === undefined ? asked : await withIssue(asked, flags.issue, context.root);
  const first =
    flags.dryRun === true ? "go-on" : await resumeOrCancel(context, flags, request !== null || flags.prd !== undefined);
  if (first !== "go-on") return first;
  // What is agreed to, shown and begun comes from one reading of each file.
  const disk = readOnce(context.root);
  const order = {
    root: context.root,
    disk,
    request,
    flags: yamlOf(flags),
    ...modelFlag(flags),
    yesReally: flags.yesReally === true,
    yes: flags.yes === true,
    unconfined: flags.unconfined === true,
    ...(flags.prd === undefined ? {} : { prd: { file: resolve(flags.prd), shown: flags.prd } }),
  };
  const left = request === null && flags.prd === undefined ? nothingLeft(context.root, order.flags, disk) : null;
  if (left !== null) {
    context.answer(nothingLeftText(left));
    return 0;
  }
  await settleTrust(context, flags, disk);
  const unseen =
    flags.git === false || flags.dryRun === true
      ? []
      : await lookAtFolder(context.root, loadSettings(context.root, order.flags, true, disk));
  const shown = await planFor(order, flags, context, unseen);
  const planned = shown === null || flags.dryRun === true ? shown : await allowed(shown, flags, context);
  if (planned === null) {
    context.answer("Nothing was started.\n");
    return 0;
  }
  const isAsked = planned.waiting.length > 0 && flags.dryRun !== true && flags.yes !== true && canAnswer(context);
  const choice = isAsked ? await askScope(planned.waiting.length) : "request";
  if (choice === "cancel") {
    context.answer("Nothing was started.\n");
    return 0;
  }
  // As JSON they are part of the answer.
  if (!context.json || flags.dryRun !== true)
    for (const warning of planned.warnings) context.comment(`${row(context.paint.yellow("!"), warning)}\n`);
  if (flags.dryRun === true) {
    const look = flags.git === false ? { unseen: [], refused: null } : await lookIfPossible(context.root, planned);
    if (context.json) printAnswer(answers.dryRun, planFacts(planned, look.refused), 0);
    else context.answer(await dryScreen(planned, context, flags, { ...look, request }));
    return 0;
  }
  const terms = { wait: flags.wait !== false, attended: canAnswer(context) };
  const begun = await context.engine.begin(
    {
      plan: planned,
      kind: flags.git === false ? "plain" : "git",
      ...(flags.task === undefined ? {} : { task: flags.task }),
      stealLock: flags.stealLock === true,
      ...(flags.pr === true ? { pullRequest: true } : {}),
    },
    terms,
  );
  if (flags.git === false)
    context.comment(
      "  Without git there are no commits and no branch to return to: checkpoints and roll-backs are kept in the vault alone.\n",
    );
  const code = await driveAndReport(begun, context, terms);
  if (flags.pr === true && code === 0) context.comment(await preparedText(context, begun.run));
  // The features are a separate run: each run has one request, one contract and one report.
  return choice === "then-queue" && code === 0 ? run(null, forQueue(flags)) : code;
}

/** Without what named the request. */
function forQueue({ issue: _, prd: __, task: ___, ...flags }: RunFlags): RunFlags {
  return flags;
}

/** In a folder without a repository a person decides. Null: not to start. */
async function withGitOrNot(context: Context, flags: RunFlags): Promise<RunFlags | null> {
  const { root } = context;
  if (flags.git === false || flags.yes === true || !canAnswer(context) || findRepositoryRoot(root) !== null)
    return flags;
  const text = `This folder is not a git repository.
Without git there are no commits and no branches: only the vault keeps what was there.
Work without git?`;
  const said = await choose({ text, choices: ["[y]es", "[n]o, run git init first"], otherwise: "n" });
  return said === "y" ? { ...flags, git: false } : null;
}

/** The request is the issue, followed by what is said on the command line. */
async function withIssue(asked: string | null, issue: string, root: string): Promise<string> {
  const request = await issueRequest(root, issue);
  return asked === null ? request : `${request}\n\n${asked}`;
}

async function preparedText({ engine, root }: Context, run: string): Promise<string> {
  const script = writePullRequest(root, await overviewOf(engine, run));
  return `A pull request is prepared. Nothing was pushed. To open it: sh ${script}\n`;
}

/** At a terminal the person is asked; elsewhere, and with --yes, the plan is only shown. Null: the person said no. */
async function planFor(
  order: Omit<PlanOrder, "highestUsed" | "here">,
  flags: RunFlags,
  context: Context,
  unseen: readonly string[],
): Promise<PlannedRun | null> {
  const isAsked = flags.yes !== true && flags.dryRun !== true && canAnswer(context);
  const full = await fullOrder(order);
  if (isAsked)
    return agreedPlan(full, context, {
      overnight: flags.overnight === true,
      isForPr: flags.pr === true,
      unseen,
      lastProof: () => lastProof(context.engine),
    });
  const planned = planRun(full);
  if (flags.dryRun === true) return planned;
  const head = flags.git === false ? null : headName(order.root);
  const walls = await sayWalls(planned.agents, planned.place === "here" ? order.root : null, planned.contract.checks);
  const opening = openingText(planned, walls, head, flags.pr === true);
  const left = unseen.length === 0 ? "" : `${row("yours", unseenText(unseen))}\n`;
  context.comment(wrapped(opening + left, columnsOf(process.stderr)));
  return planned;
}

/** What a person would be asked to agree to. */
async function dryScreen(
  planned: PlannedRun,
  context: Context,
  flags: RunFlags,
  { unseen, refused, request }: Look & { readonly request: string | null },
): Promise<string> {
  const { root, paint, engine } = context;
  const { checks, proof } = planned.contract;
  const screen = startScreen(planned, {
    paint,
    root,
    head: flags.git === false ? null : headName(root),
    place: planned.place,
    overnight: flags.overnight === true,
    isForPr: flags.pr === true,
    unseen,
    walls: await sayWalls(planned.agents, planned.place === "here" ? root : null, planned.contract.checks),
    estimateMs: readProofTime(root, checks)?.[proof.depth] ?? null,
    lastProof: await lastProof(engine),
    isAgreedHere: canAnswer(context),
  });
  const { intake } = planned;
  const open = request === null || intake === null || !canAnswer(context) ? [] : askedAbout(request, intake);
  const does = open.length === 0 ? "begins" : `first asks you: ${open.map(({ question }) => question).join(" ")}`;
  const last =
    refused === null
      ? `Nothing was started. Without --dry-run it ${does.replace(/([^.?])$/, "$1.")}\n`
      : `Nothing was started, and without --dry-run nothing is: ${refused.why}\nNext: ${refused.next}\n`;
  return `${wrapped(screen, columnsOf(process.stdout))}\n${last}`;
}

/** The folder as a start would find it. `refused`: what would keep it from starting. */
type Look = { readonly unseen: readonly string[]; readonly refused: UserError | null };

async function lookIfPossible(root: string, { place, contract }: PlannedRun): Promise<Look> {
  try {
    return { unseen: await lookAtFolder(root, { place, recordsDir: contract.recordsDir }), refused: null };
  } catch (error) {
    if (error instanceof UserError) return { unseen: [], refused: error };
    throw error;
  }
}

/** An unattended run without walls is allowed explicitly. Null: the person said no. */
async function allowed(planned: PlannedRun, flags: RunFlags, context: Context): Promise<PlannedRun | null> {
  if (planned.contract.autonomy !== "L3" || planned.unconfined === true) return planned;
  if (flags.yes === true || !canAnswer(context)) return planned; // It is refused when it begins.
  const why = await whyUnconfined(planned.agents);
  if (why === null) return planned;
  const text = `There are no walls (${why}): agents would work with your rights, unattended. Start anyway?`;
  const said = await choose({ text, choices: ["[y]es", "[n]o"], otherwise: "n" });
  return said === "y" ? { ...planned, unconfined: true } : null;
}

/** How long the last proof of the latest run took; null: there was none. */
async function lastProof(engine: Engine): Promise<PastProof | null> {
  const [latest] = await engine.runs();
  const story = latest === undefined ? null : await readIfPossible(engine, latest);
  const span = story?.chronicle.times.spans.findLast(({ is }) => is === "proving");
  return story == null || span === undefined
    ? null
    : { ms: span.to - span.from, depth: story.run.contract.proof.depth };
}

/** The exit code if the new run does not begin. */
async function resumeOrCancel(context: Context, flags: RunFlags, hasRequest: boolean): Promise<number | "go-on"> {
  const { engine } = context;
  const before = await resumableRun(engine, hasRequest);
  if (before === null) return "go-on";
  if (!canAnswer(context)) throw resumeFirst(before);
  const isApart =
    before.isApart && flags.git !== false && loadSettings(context.root, yamlOf(flags), true).place !== "here";
  const choice = await askResumption(before.says, { hasRequest, mayStart: hasRequest && isApart });
  if (choice === "beside") return "go-on";
  if (choice === "resume") return goOn([], { ...flags, run: before.run });
  if (choice === "cancel") {
    if ((await cancelRun(engine, before.run, { undo: true })) !== null) return "go-on";
    context.comment("The run has not ended yet: it finishes what must not be cut short first.\n");
    return 1;
  }
  context.answer("Nothing was started.\n");
  return 0;
}

type Scope = "request" | "then-queue" | "cancel";

/** Open features must not swallow a request, and a request need not leave them waiting: the person decides. */
async function askScope(open: number): Promise<Scope> {
  const features = count(open, "open feature");
  const said = await choose(
    {
      text: `There ${open === 1 ? "is" : "are"} ${features} besides your request.\nBuild`,
      choices: ["[o]nly the request", "[t]he features as well, in a second run", "[n]othing"],
      otherwise: "o",
    },
    {
      what: "Nothing was started.",
      why: "The question was not answered.",
      next: "loop run works on the open features; with a request it is about the request alone.",
    },
  );
  return said === "t" ? "then-queue" : said === "n" ? "cancel" : "request";
}

/** A night: eight hours, and as many commits as iterations. */
const overnightLimits = { minutes: 480, iterations: 50, commits: 50 };

/** A person who is asleep hears of it in the morning, at the desk. */
const desktopIfPossible = (): LoopYaml =>
  process.platform === "darwin" || findOwnProgram("notify-send") !== null ? { notify: { desktop: true } } : {};

function placeFlag({ here, worktree }: RunFlags): LoopYaml {
  if (here === true && worktree === true)
    throw new UserError("usage", {
      what: "Nothing was started.",
      why: "--here and --worktree contradict each other.",
      next: "Pass one of them.",
    });
  return here === true ? { place: "here" } : worktree === true ? { place: "worktree" } : {};
}

function yamlOf(flags: RunFlags): LoopYaml {
  const checks = flags.check?.map((command, index) => ({
    name: index === 0 ? "check" : `check-${index + 1}`,
    run: command,
  }));
  return {
    ...agentFlags(flags),
    ...(checks === undefined ? {} : { checks }),
    ...pairsFlag(flags.pairs),
    ...(flags.overnight === true ? { gates: [], full_auto_answers: true, ...desktopIfPossible() } : {}),
    ...autonomyFlag(flags.autonomy ?? (flags.overnight === true ? "L3" : undefined)),
    ...sandboxFlag(flags.sandbox),
    ...placeFlag(flags),
    limits: { ...(flags.overnight === true ? overnightLimits : {}), ...limitFlags(flags) },
  };
}
