// The page of a run: with a long journal against a short one, and the run itself with 50 viewers against none.
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { chromium } from "playwright-core";
import { makeRun } from "./events.mjs";
import { sideBySide, timed } from "./measure.mjs";
import { makeProject, runArgs } from "./project.mjs";
import { row } from "./results.mjs";

const requests = 200;

export async function served(place, build, { counts, viewers, rounds, features }) {
  const long = await lengths(place, build, counts);
  const { watched, alone } = await sideBySide(
    rounds,
    {
      alone: () => runTime(place, build, features, 0),
      watched: () => runTime(place, build, features, viewers),
    },
    { warmUp: 0 },
  );
  return {
    rows: [...long, row(`a run with ${viewers} viewers of its page, against one without`, "ms", watched, alone)],
    notes: [
      "A viewer is an open stream of the page that reads all that it is sent. The server is a separate process on the same machine, and it looks at the run once for all viewers.",
    ],
  };
}

async function lengths(place, { dist, loop }, counts) {
  const load = (path) => import(`${dist}/${path}`);
  const measured = [];
  for (const count of counts) {
    const { root, run, remove } = await makeRun(place, load, count);
    const server = await serving(place, loop, root);
    try {
      const path = `/workspaces/${server.workspace}/runs/${run}`;
      await get(server, path);
      const { html } = await sideBySide(7, { html: () => get(server, path) });
      const viewers = await Promise.all(Array.from({ length: 5 }, () => view(server, path)));
      const paint = await firstPaint(server, path);
      const mb = memoryMb(server.child.pid);
      for (let again = 0; again < requests; again++) await get(server, path);
      measured.push({ count, html, paint, mb, later: memoryMb(server.child.pid) });
      for (const viewer of viewers) viewer.leave();
    } finally {
      await server.stop();
      remove();
    }
  }
  const [short, long] = [measured[0], measured.at(-1)];
  const n = (count) => count.toLocaleString("en");
  const against = (what, unit, key) =>
    short[key] === null || long[key] === null
      ? []
      : [row(`${what}, ${n(long.count)} events against ${n(short.count)}`, unit, long[key], short[key])];
  return [
    ...against("the page of a run, from the request to its end", "ms", "html"),
    ...against("until a browser has painted it", "ms", "paint"),
    ...against("memory of the server with 5 viewers", "MB", "mb"),
    ...(long.mb === null
      ? []
      : [row(`that after ${requests} more requests of the page, against before`, "MB", long.later, long.mb)]),
  ];
}

/** From the command to its end. The viewers come as soon as the run has a page, and have to stay until it is over. */
async function runTime(place, { loop }, features, count) {
  const root = makeProject(place, features, 0);
  const server = await serving(place, loop, root);
  try {
    const start = performance.now();
    const options = { cwd: root, env: place.env, stdio: "ignore" };
    const over = once(spawn(process.execPath, [loop, ...runArgs], options), "exit");
    const path = await pageOf(server);
    const viewers = await Promise.all(Array.from({ length: count }, () => view(server, path)));
    const [code] = await over;
    const took = performance.now() - start;
    if (code !== 0) throw new Error(`the run ended with ${code}`);
    for (const { isOpen, bytes, leave } of viewers) {
      if (!isOpen() || bytes() === 0) throw new Error("a viewer was cut off, or saw nothing");
      leave();
    }
    return took;
  } finally {
    await server.stop();
  }
}

/** Of the run that has just begun. */
async function pageOf(server) {
  for (;;) {
    const { workspaces } = JSON.parse(await text(server, "/api/v1/workspaces"));
    const { latest } = workspaces.find(({ id }) => id === server.workspace);
    if (latest !== null) return `/workspaces/${server.workspace}/runs/${latest.run}`;
    await pause(50);
  }
}

/** A server for this one workspace. */
async function serving(place, loop, root) {
  const env = { ...place.env };
  timed(process.execPath, [loop, "serve", "--add", root, "--trust"], { cwd: root, env });
  const child = spawn(process.execPath, [loop, "serve", "--port", "0", "--json"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [said] = await once(child.stdout, "data");
  const { url, open } = JSON.parse(String(said));
  const server = { child, url, token: open.split("#token=")[1], open };
  const { workspaces } = JSON.parse(await text(server, "/api/v1/workspaces"));
  const workspace = workspaces.find((each) => each.root === fs.realpathSync(root)).id;
  const stop = async () => {
    const gone = once(child, "exit");
    child.kill();
    await gone;
    timed(process.execPath, [loop, "serve", "--remove", root], { cwd: root, env });
  };
  return { ...server, workspace, stop };
}

const ask = ({ url, token }, path) => request(`${url}${path}`, { headers: { Authorization: `Bearer ${token}` } });

function text(server, path) {
  return new Promise((resolve, reject) => {
    const asking = ask(server, path);
    asking.once("error", reject);
    asking.once("response", (response) => {
      let all = "";
      response.setEncoding("utf8").on("data", (chunk) => (all += chunk));
      response.once("end", () => (response.statusCode === 200 ? resolve(all) : reject(new Error(all))));
    });
    asking.end();
  });
}

const get = async (server, path) => void (await text(server, path));

/** Resolves when it is connected. It reads all that it is sent. */
async function view(server, path) {
  const asking = ask(server, `${path}/live`);
  asking.on("error", () => {});
  asking.end();
  const [response] = await once(asking, "response");
  if (response.statusCode !== 200) throw new Error(`${path}/live: ${response.statusCode}`);
  let [bytes, isOpen] = [0, true];
  response.on("data", (chunk) => (bytes += chunk.length));
  response.on("close", () => (isOpen = false));
  return { bytes: () => bytes, isOpen: () => isOpen, leave: () => asking.destroy() };
}

const memoryMb = (pid) => {
  if (!fs.existsSync("/proc/self/status")) return null;
  return Number(/^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
};

/** Null: there is no browser here. */
async function firstPaint({ url, token }, path) {
  const program = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(fs.existsSync);
  if (program === undefined) return null;
  const browser = await chromium.launch({ executablePath: program, chromiumSandbox: process.getuid?.() !== 0 });
  try {
    const page = await browser.newPage();
    await page.goto(`${url}${path}#token=${token}`);
    await page.waitForSelector("main[data-state=live]");
    await page.reload();
    const paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null";
    await page.waitForFunction(`(${paint}) !== null`);
    return await page.evaluate(paint);
  } finally {
    await browser.close();
  }
}
