// The records of a run that worked in a worktree, where the repository keeps none: no commit has them, so that they are
// brought into the person's folder when the run lands.
import { sha256 } from "../formats/sha256.ts";
import type { RunFiles } from "../runtime/ports.ts";
import { known } from "../runtime/records/guard.ts";
import { isInIgnored, recordPaths } from "../runtime/records/paths.ts";
import { beforeRun } from "../runtime/records/write.ts";
import { ignoreOurOwn } from "./ignore-own.ts";
import { mergedText } from "./merged-records.ts";
import type { Place } from "./places.ts";
import { workspaceDisk } from "./workspace-disk.ts";

/** Returns the place with what its folder has now. Other runs may have brought theirs meanwhile: both stay. */
export function bringRecords(place: Place, recordsDir: string, files: RunFiles): Place {
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
