// What every command knows: its workspace, and how it prints.

import * as fs from "node:fs";
import { resolve } from "node:path";
import { UserError } from "../core/errors.ts";
import type { Engine } from "../engines/engine.ts";
import { LocalEngine } from "../engines/local/engine.ts";
import { projectOf } from "../project/place/places.ts";
import { nearestWorkspace } from "../workspace/nearest.ts";
import { refuseForeign } from "../workspace/owner.ts";
import { refuseNewer, vaultDirFor } from "../workspace/vault.ts";
import { keepSaid } from "./json/print.ts";
import { columnsOf } from "./render/columns.ts";
import { type Paint, painter } from "./render/paint.ts";
import { wrapped } from "./render/wrap.ts";
import type { ScreenOptions } from "./screen.ts";
import { isColoured, isRedrawn, printable } from "./terminal.ts";

export type GlobalFlags = {
  workspace?: string;
  task?: string;
  run?: string;
  json?: boolean;
  quiet?: boolean;
  color?: boolean;
  plain?: boolean;
  format?: string;
  trust?: boolean;
};
export type Context = {
  readonly root: string;
  readonly engine: Engine;
  readonly json: boolean;
  readonly quiet: boolean;
  /** The words of the hope loop instead of ours. */
  readonly isSeed: boolean;
  readonly paint: Paint;
  /** For the commentary, which has its own stream. */
  readonly commentPaint: Paint;
  /** How a run in progress is shown. */
  readonly mode: ScreenOptions["mode"];
  /** For a screen reader: nothing is redrawn. */
  readonly plain: boolean;
  /** Answers go to stdout, in lines that fit a terminal. With --json, sentences are the answer of a command that has no other. */
  readonly answer: (text: string) => void;
  /** The same for diffs and documents, whose lines must not be broken. */
  readonly verbatim: (text: string) => void;
  /** Commentary goes to stderr. */
  readonly comment: (text: string) => void;
};

export function contextOf(flags: GlobalFlags, engineFor = localEngine): Context {
  const root = rootOf(flags.workspace);
  refuseForeign(root);
  refuseNewer(vaultDirFor(root));
  const quiet = flags.quiet === true;
  const json = flags.json === true;
  const { stdout, stderr } = process;
  return {
    root,
    engine: engineFor(root),
    json,
    quiet,
    isSeed: flags.format === "seed",
    paint: painter(isColoured(flags, stdout)),
    commentPaint: painter(isColoured(flags, stderr)),
    mode: quiet || json ? "quiet" : isRedrawn(flags, stderr) ? "live" : "lines",
    plain: flags.plain === true,
    answer: (text) => (json ? keepSaid(text) : void stdout.write(wrapped(printable(text), columnsOf(stdout)))),
    verbatim: (text) => (json ? keepSaid(text) : void stdout.write(printable(text))),
    comment: (text) => void (quiet || stderr.write(wrapped(printable(text), columnsOf(stderr)))),
  };
}

const localEngine = (root: string): Engine => new LocalEngine(root);

/** The given folder, else the nearest git repository above, else this folder. */
function rootOf(named: string | undefined): string {
  const start = resolve(named ?? process.cwd());
  if (!fs.existsSync(start) || !fs.statSync(start).isDirectory()) {
    throw new UserError("no-workspace", {
      what: "There is no workspace.",
      why: `${start} is not a folder.`,
      next: "Name one with --workspace.",
    });
  }
  if (named !== undefined) return projectOf(fs.realpathSync(start));
  return projectOf(nearestWorkspace(start));
}
