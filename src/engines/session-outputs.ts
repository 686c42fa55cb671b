// What the agents of a run printed, session by session, with what each line means. Read from the sessions' folders, so
// it is there while a session runs and long after.
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Agent, Reader, SessionRequest, Sign } from "../agents/agent.ts";
import { shownPath } from "../agents/cli/tool-call.ts";
import { outputsOf, partsMax, readLaunch, readResult } from "../agents/session/session-folder.ts";
import { UserError } from "../core/errors.ts";
import { featureId, isPlainName, type RunId, sessionId } from "../core/ids.ts";
import { type Role, sideOf } from "../core/run.ts";
import type { AgentSettings } from "../formats/config/settings.ts";
import { agentFor, makeAgent, type RegisteredAgents } from "../project/agents/agents.ts";
import type { RunFiles } from "../runtime/ports.ts";
import { roles } from "../runtime/roles/index.ts";
import { sessionFolder } from "./conversation.ts";
import { crewFor, readAgents } from "./current-agents.ts";
import type { OutputLine, OutputPiece, OutputPlace, SessionInfo } from "./engine.ts";
import type { Plan } from "./plan.ts";

const pieceBytesMax = 1 << 20;
const lineCharsMax = 1 << 20;

export type OutputsOf = {
  readonly run: RunId;
  readonly root: string;
  readonly plan: Plan;
  readonly files: RunFiles;
  readonly agents: RegisteredAgents;
};
type Found = SessionInfo & { readonly folder: string };
/** A reader remembers what it has read, such as the calls that have no result yet. */
type Reading = { readonly place: OutputPlace; readonly reader: Pick<Reader, "line" | "errorLine"> };

export class SessionOutputs {
  readonly #of: OutputsOf;
  readonly #readings = new Map<string, Reading>();

  constructor(of: OutputsOf) {
    this.#of = of;
  }

  /** In the order in which they began. */
  sessions(): SessionInfo[] {
    return this.#found().map(({ folder: _, ...info }) => info);
  }

  output(session: string, from: OutputPlace | null): OutputPiece {
    const [found] = this.#found((name) => name.endsWith(`-${session}`)).filter((each) => each.session === session);
    if (found === undefined) throw noSuchSession(session);
    const known = this.#readings.get(session);
    const isNext = from !== null && known !== undefined && isSame(known.place, from);
    const place = from ?? start;
    const reader = isNext ? known.reader : this.#readerOf(found);
    const { lines, next } = readPiece(found, place, reader);
    this.#readings.set(session, { place: next, reader });
    return { lines, next, isOver: found.isOver };
  }

  /** `isMeant`: the others are not read. */
  #found(isMeant: (folder: string) => boolean = () => true): Found[] {
    const dir = this.#of.files.path(sessionFolder("x")).slice(0, -2);
    return namesIn(dir)
      .filter(isMeant)
      .flatMap((name) => foundIn(join(dir, name), name))
      .sort((one, other) => one.beganAt - other.beganAt || (one.session < other.session ? -1 : 1));
  }

  /** Without a reader, every line is plain output. */
  #readerOf(found: Found): Pick<Reader, "line" | "errorLine"> {
    const { run } = this.#of;
    const { session, role, feature, attempt, folder } = found;
    const request: SessionRequest = {
      ...{ run, session, role, feature, attempt, folder, part: 1, nativeId: null, mayWrite: false },
      ...{ prompt: "", replySchema: null, cwd: launchedIn(folder), costUsdMax: null },
      ...{ timeoutMs: 0, silenceMs: 0, handoverPercent: 100 },
    };
    return this.#agentOf(found)?.reader(request) ?? { line: (text) => [{ sign: "output", text }] };
  }

  #agentOf({ session, role, folder }: Found): Agent | null {
    const { plan, files, root, agents: registered } = this.#of;
    const { agents, env } = crewFor(readAgents(files, plan), session);
    const program = readLaunch(folder, 1)?.file ?? "";
    const own = agentFor(role, sideOf(role), agents);
    const others = Object.values(agents).filter((each) => each !== null);
    // At a usage limit another agent may have stood in.
    const used = [own, ...others].find((each) => programOf(each) === program) ?? own;
    try {
      return makeAgent(used, root, env, registered);
    } catch {
      return null; // Its script is gone, or another program brought it.
    }
  }
}

function programOf({ kind, path, command }: AgentSettings): string {
  if (kind === "claude" || kind === "codex") return path ?? kind;
  return kind === "command" ? (command?.[0] ?? "") : process.execPath;
}

const start: OutputPlace = { part: 1, stdout: 0, stderr: 0 };
const isSame = (one: OutputPlace, other: OutputPlace): boolean =>
  one.part === other.part && one.stdout === other.stdout && one.stderr === other.stderr;

const named = new RegExp(`^(.+)-a(\\d+)-(${Object.keys(roles).join("|")})-([A-Za-z0-9-]+)$`);

function foundIn(folder: string, name: string): Found[] {
  const [, feature = "", attempt = "", role = "", session = ""] = named.exec(name) ?? [];
  if (session === "" || !isPlainName(session)) return [];
  const beganAt = beginningOf(folder);
  if (beganAt === null) return [];
  return [
    {
      session: sessionId(session),
      role: role as Role,
      feature: feature === "run" ? null : featureId(feature),
      attempt: Number(attempt),
      beganAt,
      isOver: hasResult(folder),
      folder,
    },
  ];
}

/**
 * Null: its folder is being prepared. Counted before it begins, it would stand before all others. A program that cannot
 * be launched leaves a result alone.
 */
function beginningOf(folder: string): number | null {
  const launch = readLaunch(folder, 1);
  if (launch !== null) return launch.at;
  return hasResult(folder) ? statSync(folder).mtimeMs : null;
}

function hasResult(folder: string): boolean {
  try {
    return readResult(folder) !== null;
  } catch {
    return true; // It ended, and its result can no longer be read.
  }
}

const launchedIn = (folder: string): string => readLaunch(folder, 1)?.cwd ?? "/";

/** Whole lines, and the rest of a part that is followed by another. */
function readPiece({ folder, isOver }: Found, from: OutputPlace, reader: Reading["reader"]) {
  const cwd = launchedIn(folder);
  const isLast = from.part >= partsMax || readLaunch(folder, from.part + 1) === null;
  const [stdout, stderr] = outputsOf(folder, from.part);
  const [out, err] = [newText(stdout, from.stdout, isLast && !isOver), newText(stderr, from.stderr, isLast && !isOver)];
  const shown = (stream: OutputLine["stream"], signs: (text: string) => readonly Sign[]) => (text: string) => ({
    stream,
    text,
    signs: meaning(() => signs(text)).map((sign) =>
      sign.sign === "edit" ? { ...sign, path: shownPath(sign.path, cwd) } : sign,
    ),
  });
  const lines: OutputLine[] = [
    ...out.lines.map(shown("stdout", (text) => reader.line(text, false))),
    ...err.lines.map(shown("stderr", (text) => reader.errorLine?.(text, false) ?? [])),
  ];
  const isDone = !isLast && out.isEnd && err.isEnd;
  const next = isDone
    ? { part: from.part + 1, stdout: 0, stderr: 0 }
    : { part: from.part, stdout: out.next, stderr: err.next };
  return { lines, next };
}

function meaning(read: () => readonly Sign[]): readonly Sign[] {
  try {
    return read();
  } catch {
    return []; // A reader that throws has a bug, but the line itself can still be shown.
  }
}

/** The agent can put anything in the place of its output: only a regular file is read. */
function newText(path: string, from: number, isGrowing: boolean): { lines: string[]; next: number; isEnd: boolean } {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile() || stat.size <= from) return { lines: [], next: from, isEnd: true };
      const bytes = Buffer.alloc(Math.min(pieceBytesMax, stat.size - from));
      const read = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
      const isEnd = from + read.length >= stat.size;
      const lineEnd = read.lastIndexOf(10) + 1;
      // The rest of a line is still to come; but a line that is longer than a piece is cut.
      const end = isEnd && !isGrowing ? read.length : lineEnd > 0 || isEnd ? lineEnd : read.length;
      const text = read.toString("utf8", 0, end).replace(/\n$/, "");
      const lines = end === 0 ? [] : text.split("\n").map((line) => line.slice(0, lineCharsMax));
      return { lines, next: from + end, isEnd: isEnd && end === read.length };
    } finally {
      closeSync(fd);
    }
  } catch {
    return { lines: [], next: from, isEnd: true };
  }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

const noSuchSession = (session: string): UserError =>
  new UserError("no-such-session", {
    what: "There is no such session.",
    why: `No session of this run is called ${session}.`,
    next: "loop logs",
  });
