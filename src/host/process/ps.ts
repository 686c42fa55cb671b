// Parses the output of `ps`, for systems without /proc.
import type { Process } from "./processes.ts";

/** Lines of `ps -o pid=,ppid=,pgid=,stat=,lstart=`. The start is in seconds: coarse, but enough to tell pids apart. */
export function parsePs(text: string): Process[] {
  return text.split("\n").flatMap((line) => {
    const [, pid, parent, group, state, started] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    const startTicks = Date.parse(started ?? "") / 1000;
    if (pid === undefined || Number.isNaN(startTicks)) return [];
    const dead = state?.startsWith("Z") === true;
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), startTicks, dead }];
  });
}

/** Lines of `ps -E -o pid=,command=`: the environment follows the arguments, separated by spaces. */
export function parsePsEnvironment(text: string, marker: string): number[] {
  return text.split("\n").flatMap((line) => {
    const [, pid, rest] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid !== undefined && ` ${rest} `.includes(` ${marker} `) ? [Number(pid)] : [];
  });
}
