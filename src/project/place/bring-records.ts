// The records of a run that worked in a worktree, in the person's folder: at its end, whether or not it has landed. A
// person's uncommitted edits stay: where they and the run changed the same lines, the file is left as it is and named.
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { sha256 } from "../../formats/text/sha256.ts";
import { lstatIfExists } from "../../host/disk.ts";
import type { RunFiles } from "../../runtime/ports.ts";
import { known } from "../../runtime/records/guard.ts";
import { featuresSource, isInIgnored, isQueue, recordPath, recordPaths } from "../../runtime/records/paths.ts";
import { beforeRun } from "../../runtime/records/write.ts";
import { ignoreOurOwn } from "./ignore-own.ts";
import { inboxInto, mergedText, statusesInto } from "./merged-records.ts";
import type { Place } from "./places.ts";
import { workspaceDisk } from "./workspace-disk.ts";

/**
 * Once it has landed: records that no commit has. Returns the place with what its folder has now. Other runs may have
 * brought theirs meanwhile: both stay.
 */
export function bringLanded(place: Place, recordsDir: string, files: RunFiles): Place {
  if (!isInIgnored(recordsDir)) return place;
  const disk = workspaceDisk(place.project);
  const taken = { ...place.taken };
  ignoreOurOwn(disk);
  for (const path of recordPaths(recordsDir)) {
    const [ours, theirs] = [disk.read(path), known(files, path)];
    if (theirs === null) continue;
    const isAsTaken = (ours === null ? null : sha256(ours)) === (taken[path] ?? null);
    const content = mergedText(path, recordsDir, isAsTaken ? ours : beforeRun(files, path), ours, theirs);
    if (content !== ours) disk.write(path, content);
    if (content === theirs) taken[path] = sha256(theirs);
  }
  return { ...place, taken };
}

/**
 * Of a run that ended without landing, where the repository keeps records: what it escalated, and why, is what the next
 * run and the person have to know. A feature whose commit has not landed is not complete here.
 */
export function bringEscalated(place: Place, recordsDir: string, files: RunFiles): Place {
  const disk = workspaceDisk(place.project);
  const taken = { ...place.taken };
  const written = new Set(place.records?.written);
  const left: string[] = [];
  for (const path of recordPaths(recordsDir)) {
    const [ours, theirs] = [disk.read(path), known(files, path)];
    if (theirs === null || lstatIfExists(join(place.project, path))?.isSymbolicLink() === true) continue;
    const isAsTaken = (ours === null ? null : sha256(ours)) === (taken[path] ?? null);
    const content = escalated({ path, recordsDir, files, ours, theirs, isAsTaken });
    if (content === null) left.push(path);
    else if (content !== ours) {
      disk.write(path, content);
      written.add(path);
      // It may be replaced when the run lands, unless it has an edit of the person's.
      if (isAsTaken) taken[path] = sha256(content);
    }
  }
  return { ...place, taken, records: { written: [...written], left } };
}

type Bringing = {
  readonly path: string;
  readonly recordsDir: string;
  readonly files: RunFiles;
  /** In the person's folder. */
  readonly ours: string | null;
  readonly theirs: string;
  /** The person has not changed the file since the run took it. */
  readonly isAsTaken: boolean;
};

/** Null: it cannot be written without touching an edit of the person's. */
function escalated({ path, recordsDir, files, ours, theirs, isAsTaken }: Bringing): string | null {
  if (isQueue(path, recordsDir)) return ours === null ? null : queueOrNull({ path, files, ours, theirs, isAsTaken });
  if (path === recordPath(recordsDir, "LOOP.md"))
    return isAsTaken ? theirs : inboxInto({ base: beforeRun(files, path), ours, theirs });
  if (path === recordPath(recordsDir, "loop-budget.md")) return isAsTaken ? theirs : ours;
  return ours === null && !isAsTaken ? null : grown(path, files, ours, theirs);
}

function queueOrNull({
  path,
  files,
  ours,
  theirs,
  isAsTaken,
}: Omit<Bringing, "recordsDir" | "ours"> & { ours: string }) {
  try {
    const begun = files.read(featuresSource);
    return statusesInto({
      begun: begun === null ? [] : parseFeaturesJson(begun, featuresSource).features,
      ours: parseFeaturesJson(ours, path),
      theirs: parseFeaturesJson(theirs, path).features,
      isAsTaken,
    });
  } catch (error) {
    if (error instanceof UserError) return null; // The person's file is not a queue at the moment.
    throw error;
  }
}

/** The run's own entries below all others; those of an earlier rest of this run are replaced. */
function grown(path: string, files: RunFiles, ours: string | null, theirs: string): string {
  const base = beforeRun(files, path) ?? "";
  const added = theirs.startsWith(base) ? theirs.slice(base.length).trim() : theirs.trim();
  const place = `brought/${path.slice(path.lastIndexOf("/") + 1)}`;
  const earlier = files.read(place) ?? "";
  files.write(place, added);
  if (ours === null) return theirs;
  // A commit that has landed may have them already.
  if (ours.includes(added)) return ours;
  return earlier !== "" && ours.includes(earlier)
    ? ours.replace(earlier, () => added)
    : `${ours.trimEnd()}\n\n${added}\n`;
}
