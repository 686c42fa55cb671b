// What every command knows: its workspace, and how it prints.
import * as fs from "node:fs";
import { resolve } from "node:path";
import { UserError } from "../core/errors.ts";
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
  readonly json: boolean;
  readonly quiet: boolean;
  readonly paint: Paint;
  /** Answers go to stdout. */
  readonly answer: (text: string) => void;
  /** Commentary goes to stderr. */
  readonly comment: (text: string) => void;
};

export function contextOf(flags: GlobalFlags): Context {
  const quiet = flags.quiet === true;
  const coloured = flags.color !== false && process.env["NO_COLOR"] === undefined && process.stdout.isTTY === true;
  return {
    root: rootOf(flags.workspace),
    json: flags.json === true,
    quiet,
    paint: painter(coloured),
    answer: (text) => void process.stdout.write(text),
    comment: (text) => void (quiet || process.stderr.write(text)),
  };
}

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
