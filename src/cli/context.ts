// What every command knows: its workspace, and how it prints.
import * as fs from "node:fs";
import { resolve } from "node:path";
import { UserError } from "../core/errors.ts";
import type { Engine } from "../engines/engine.ts";
import { LocalEngine } from "../engines/local/engine.ts";
import { nearestWorkspace } from "../workspace/nearest.ts";
import { type Paint, painter } from "./render/paint.ts";

export type GlobalFlags = {
  workspace?: string;
  task?: string;
  run?: string;
  json?: boolean;
  quiet?: boolean;
  color?: boolean;
};
export type Context = {
  readonly root: string;
  readonly engine: Engine;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly paint: Paint;
  /** Answers go to stdout. */
  readonly answer: (text: string) => void;
  /** Commentary goes to stderr. */
  readonly comment: (text: string) => void;
};

export function contextOf(flags: GlobalFlags, engineFor = localEngine): Context {
  const root = rootOf(flags.workspace);
  const quiet = flags.quiet === true;
  const coloured = flags.color !== false && process.env["NO_COLOR"] === undefined && process.stdout.isTTY === true;
  return {
    root,
    engine: engineFor(root),
    json: flags.json === true,
    quiet,
    paint: painter(coloured),
    answer: (text) => void process.stdout.write(text),
    comment: (text) => void (quiet || process.stderr.write(text)),
  };
}

const localEngine = (root: string): Engine => new LocalEngine(root);

/** The given folder, else the nearest git repository above, else this folder. */
function rootOf(named: string | undefined): string {
  const start = resolve(named ?? process.cwd());
  if (!fs.existsSync(start) || !fs.statSync(start).isDirectory()) {
    throw new UserError(
      "no-workspace",
      { what: "There is no workspace.", why: `${start} is not a folder.`, next: "Name one with --workspace." },
      { exitCode: 64 },
    );
  }
  if (named !== undefined) return fs.realpathSync(start);
  return nearestWorkspace(start);
}
