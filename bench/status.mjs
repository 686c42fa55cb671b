// `loop status` as a user sees it: the whole process, compared with Node doing nothing.
import { sideBySide, timed } from "./measure.mjs";
import { makeProject, runArgs } from "./project.mjs";
import { row } from "./results.mjs";

export async function status(place, { loop }) {
  const cwd = makeProject(place, 3, 0);
  const where = { cwd, env: place.env };
  timed(process.execPath, [loop, ...runArgs], where);
  const times = await sideBySide(
    21,
    {
      status: () => timed(process.execPath, [loop, "status"], where),
      version: () => timed(process.execPath, [loop, "--version"], where),
      node: () => timed(process.execPath, ["-e", "0"], where),
    },
    { warmUp: 2 },
  );
  return {
    rows: [
      row("`loop status`, against `node -e 0`", "ms", times.status, times.node),
      row("`loop --version`, against `node -e 0`", "ms", times.version, times.node),
    ],
  };
}
