// Keeps the loop's own folder in the workspace out of commits.
import type { WorkspaceDisk } from "../../runtime/ports.ts";

/** Below .loop, only shape/ contains a person's work. */
const ignoreFile =
  "# Written by loop: its own files are not part of the project.\n/tasks/\n/records/\n/set-aside/\n/hook/\n/state.json\n/.gitignore\n";

export function ignoreOurOwn(disk: WorkspaceDisk): void {
  if (disk.read(".loop/.gitignore") !== ignoreFile) disk.write(".loop/.gitignore", ignoreFile);
}
