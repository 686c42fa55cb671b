// The I/O sweep: a system call fails, once or from then on. The run says why it stops, and continues afterwards.
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, nextCommand, reachTheEnd } from "./crash-sweep.mjs";
import { checkJournal } from "./invariants.mjs";
import { Place } from "./place.mjs";
import { firstRefused, injecting, logIn } from "./strace.mjs";

/** Which errors a call can meet on a real machine. `onwards`: the disk stays full; otherwise it happens once. */
const kinds = [
  { error: "ENOSPC", calls: ["write", "pwrite64", "openat", "mkdir", "rename", "copy_file_range"], onwards: false },
  { error: "ENOSPC", calls: ["pwrite64", "openat", "mkdir"], onwards: true },
  { error: "EIO", calls: ["write", "pwrite64", "fsync", "fdatasync", "rename", "copy_file_range"], onwards: false },
  { error: "EIO", calls: ["fsync", "fdatasync"], onwards: true },
  { error: "EROFS", calls: ["openat", "mkdir", "rename", "unlink"], onwards: false },
  { error: "EROFS", calls: ["mkdir", "rename", "pwrite64"], onwards: true },
  { error: "EACCES", calls: ["openat", "mkdir", "rename", "unlink"], onwards: false },
  { error: "EMFILE", calls: ["openat"], onwards: false },
  { error: "EMFILE", calls: ["openat"], onwards: true },
  { error: "EAGAIN", calls: ["clone"], onwards: false }, // No more processes.
];

/** Every kind of error, spread over the calls that can meet it. */
export function ioPoints(calls, points) {
  const perKind = Math.max(1, Math.ceil(points / kinds.length));
  return kinds.flatMap(({ error, calls: names, onwards }, kind) => {
    const able = calls.filter(({ call }) => names.includes(call));
    const step = able.length / perKind;
    const phase = (kind * 0.37) % 1;
    return Array.from({ length: perKind }, (_, at) => ({ ...able[Math.floor((at + phase) * step)], error, onwards }));
  });
}

/** Each call that updates the person's index after a commit: a failure there must not repeat the commit. */
export const indexPoints = (calls) =>
  calls
    .filter(({ about, call }) => /\.git\/index\.(?:loop-|lock)/.test(about) && call !== "unlink")
    .map((point) => ({ ...point, error: "EIO", onwards: false }));

/** Endings that mean something to a person. 70 is a bug of ours. */
const endings = [0, 1, 2, 3, 4, 6, 7];

export async function ioTrial(sweep, point, name) {
  const place = Place.copyOf(sweep.sample, join(sweep.dir, `io-${name}`));
  const log = logIn(sweep.dir, `io-${name}`);
  const title = `${point.error}${point.onwards ? " from then on" : ""} at ${describe([point])}`;
  try {
    const before = injecting(log, point, `error=${point.error}`, point.onwards);
    const ended = await place.loop(nextCommand(place), { before });
    const refused = firstRefused(log);
    // Node aborts when it cannot wake itself; that is not a file.
    if (refused === null || /<(?:anon_inode|pipe|socket)/.test(refused)) return { injected: 0, violations: [], ended };
    const found = [...judge(ended), ...checkJournal(place)];
    found.push(...(await reachTheEnd(place, sweep, { kills: 1, hasRested: true })));
    return { injected: 1, ended, violations: found.map((text) => `${title}\n  ${refused.slice(0, 300)}\n  ${text}`) };
  } finally {
    fs.rmSync(log, { force: true });
    place.remove();
  }
}

function judge({ code, signal, stdout, stderr, hung }) {
  const said = `${stderr}${stdout}`;
  if (hung) return [`it hung: ${said.slice(-500)}`];
  if (signal !== null) return [`it died of ${signal}: ${said.slice(-500)}`];
  if (!endings.includes(code)) return [`it ended with ${code}: ${said.slice(-1500)}`];
  return code === 0 || said.trim() !== "" ? [] : [`it ended with ${code} and said nothing`];
}
