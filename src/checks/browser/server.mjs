// The server of a page: started, waited for, and stopped with everything it started. Part of the program.
import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/**
 * @param {{ run: string, ready: string, timeoutMs: number }} order
 * @param {string} cwd @param {string} folder
 */
export async function startServer(order, cwd, folder) {
  const log = join(folder, "server.log");
  const isUp = probeOf(order.ready, log);
  // Otherwise the steps would run against another server, such as yesterday's.
  if (isUp.answers && (await isUp.now())) {
    return { ready: false, why: `something else answers at ${order.ready} already`, stop: async () => {} };
  }
  const out = openSync(log, "w", 0o600);
  // Its own process group, so that it can be ended as a whole; the markers in its environment cover the rest.
  const child = spawn("/bin/sh", ["-c", order.run], { cwd, detached: true, stdio: ["ignore", out, out] });
  closeSync(out);
  let ended = null;
  const over = new Promise((resolve) => {
    const end = (how) => {
      ended ??= how;
      resolve(how);
    };
    child.once("error", (error) => end(error.message));
    child.once("exit", (code, signal) => end(`it ended with ${signal ?? code}`));
  });
  const stop = () => stopGroup(child, over);
  for (const end = Date.now() + order.timeoutMs; Date.now() < end && ended === null; await pause(50)) {
    if (await isUp.now()) return { ready: true, why: "", stop };
  }
  const why = ended ?? `it said nothing at ${order.ready} within ${order.timeoutMs / 1000} s`;
  return { ready: false, why: `${why}\n${tailOf(log)}`, stop };
}

async function stopGroup(child, over) {
  const kill = (signal) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
      return true;
    } catch {
      return false; // The group is empty.
    }
  };
  kill("SIGTERM");
  await Promise.race([over, pause(2000)]);
  for (let tries = 0; tries < 20 && kill("SIGKILL"); tries += 1) await pause(50);
}

/** An address that answers, a port that takes connections, or a text in the output. */
function probeOf(ready, log) {
  if (/^https?:\/\//.test(ready)) {
    const now = () =>
      fetch(ready, { signal: AbortSignal.timeout(2000), redirect: "manual" }).then(
        ({ status }) => status < 500,
        () => false,
      );
    return { answers: true, now };
  }
  const port = /^:?(\d{1,5})$/.exec(ready)?.[1];
  if (port !== undefined)
    return { answers: true, now: async () => (await takes(port, "127.0.0.1")) || takes(port, "::1") };
  return { answers: false, now: async () => readFileSync(log, "utf8").includes(ready) };
}

function takes(port, host) {
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host });
    const end = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1000, () => end(false));
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}

const tailOf = (log) => readFileSync(log, "utf8").slice(-2000);
