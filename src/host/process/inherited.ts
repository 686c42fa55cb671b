// File descriptors that this process was started with: a terminal's, a build's, a service manager's. Every process that
// we start would have them too, and a folder among them leads out of any walls.
import * as fs from "node:fs";

/** Node sets it on all that it opens itself. */
const closedOnExec = 0o2000000;

let known: readonly number[] | null = null;
let nothing: number | null = null;

/** The entries for `spawn`, with nothing in place of the descriptors that would be passed on. */
export function withoutInherited<T>(stdio: readonly T[]): (T | "ignore" | number)[] {
  known ??= passedOn();
  const others = known.filter((fd) => fd >= stdio.length);
  if (others.length === 0) return [...stdio];
  nothing ??= fs.openSync("/dev/null", "r");
  const closed = nothing;
  const more = Array.from({ length: Math.max(...others) + 1 - stdio.length }, (_, at) =>
    others.includes(stdio.length + at) ? closed : "ignore",
  );
  return [...stdio, ...more];
}

/** Where the system does not say, as on macOS, it is none. */
function passedOn(): number[] {
  try {
    const all = fs.readdirSync("/proc/self/fd").map(Number);
    return all.filter((fd) => fd > 2 && isPassedOn(fd));
  } catch {
    return [];
  }
}

function isPassedOn(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(fs.readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closedOnExec) === 0;
  } catch {
    return false; // It was the one that the folder was read by.
  }
}
