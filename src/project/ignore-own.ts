// The loop's own folder in the workspace is never part of anybody's commit.
import type { WorkspaceDisk } from "../runtime/ports.ts";

/** Nothing below .loop is anybody's work but what a person put into shape/. */
const ignoreFile =
  "# Written by loop: its own files are not part of the project.\n/tasks/\n/set-aside/\n/hook/\n/state.json\n/.gitignore\n";

export function ignoreOurOwn(disk: WorkspaceDisk): void {
  if (disk.read(".loop/.gitignore") !== ignoreFile) disk.write(".loop/.gitignore", ignoreFile);
}
