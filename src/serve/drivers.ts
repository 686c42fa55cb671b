// Starts a driver, and waits until its run has begun. The driver outlives the server.
import { type ChildProcess, fork } from "node:child_process";
import * as fs from "node:fs";
import { fileURLToPath } from "node:url";
import { type ErrorCode, errorCodes } from "../core/error-codes.ts";
import { Bug, UserError } from "../core/errors.ts";
import { type DriverNews, driverNews, type Order } from "./driver-order.ts";

/** Resolves with the run that has begun; rejects with the UserError of a refusal. */
export type Drive = (order: Order) => Promise<string>;

/** `hide`: variables that drivers do not get, such as the secrets of webhooks. */
export const driveApart =
  (log: string, hide: () => readonly string[]): Drive =>
  async (order) => {
    const news = await newsOf(started(log, hide()), order);
    if (news.is === "begun") return news.run;
    if (!isCode(news.code)) throw new Bug(`a driver refused with ${news.code}`);
    throw new UserError(news.code, news);
  };

/** Keeps the runs for which a driver is being started. */
export const noting =
  (starting: Set<string>, drive: Drive): Drive =>
  async (order) => {
    const { run } = order.job;
    starting.add(run);
    try {
      return await drive(order);
    } finally {
      starting.delete(run);
    }
  };

const isCode = (text: string): text is ErrorCode => Object.hasOwn(errorCodes, text);

function started(log: string, hide: readonly string[]): ChildProcess {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !hide.includes(name)));
  const fd = fs.openSync(log, "a", 0o600);
  try {
    const program = fileURLToPath(new URL("./driver.js", import.meta.url));
    return fork(program, [], { detached: true, stdio: ["ignore", "ignore", fd, "ipc"], execArgv: [], env });
  } finally {
    fs.closeSync(fd);
  }
}

function newsOf(child: ChildProcess, order: Order): Promise<DriverNews> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => {
      const news = driverNews.safeParse(message);
      if (news.success) resolve(news.data);
      else reject(new Bug("a driver sent something else"));
      child.unref();
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => reject(new Bug(`a driver ended before its run began (${signal ?? code})`)));
    child.send(order, (error) => {
      if (error !== null) reject(error);
    });
  });
}
