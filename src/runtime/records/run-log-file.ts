// Writes docs/loop-run-log.md: whole the first time, after that only what is new at its end.

import { type RunLogPart, runLogSince, runLogTitle } from "../../report/markdown/run-log.ts";
import type { Overview } from "../../report/overview.ts";
import type { Ports, RunFiles } from "../ports.ts";
import { rememberTail } from "./guard.ts";
import { recordPath } from "./paths.ts";

type Place = {
  readonly stamps: { readonly disk: string; readonly known: string };
  /** Entries that are final, the commits up to there, and where they end in the file. */
  readonly closed: number;
  readonly commits: number;
  readonly keep: number;
};
// Kept in memory only: a process that resumes the run writes the whole file once.
const places = new WeakMap<RunFiles, Place>();

export function writeRunLog(
  run: Overview,
  ports: Pick<Ports, "disk" | "files">,
  writeWhole: (head: string, text: string) => void,
): void {
  const path = recordPath(run.agreed.recordsDir, "loop-run-log.md");
  const place = places.get(ports.files);
  places.delete(ports.files);
  if (place !== undefined && place.closed <= run.iterations.length) {
    const part = runLogSince(run, place);
    const tail = { keep: place.keep, text: `${part.lasting}${part.passing}` };
    const disk = ports.disk.rewriteTail?.(path, { ...tail, stamp: place.stamps.disk }) ?? null;
    const known = disk === null ? null : rememberTail(ports.files, path, { ...tail, stamp: place.stamps.known });
    if (disk !== null && known !== null) {
      keep(ports.files, { disk, known }, part, place.keep);
      return;
    }
  }
  const title = runLogTitle(run);
  const part = runLogSince(run);
  writeWhole(title, `${part.lasting}${part.passing}`);
  const disk = ports.disk.stamp?.(path) ?? null;
  const known = ports.files.stamp?.(`known/${path}`) ?? null;
  const text = ports.disk.read(path);
  if (disk === null || known === null || text === null) return;
  const lasting = Buffer.byteLength(text) - Buffer.byteLength(`${part.lasting}${part.passing}`);
  keep(ports.files, { disk, known }, part, lasting);
}

function keep(files: RunFiles, stamps: Place["stamps"], { closed, commits, lasting }: RunLogPart, from: number): void {
  places.set(files, { stamps, closed, commits, keep: from + Buffer.byteLength(lasting) });
}
