// What a step tells its job: outputs, and a summary that people read.

import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";

/** GitHub takes 1 MiB for each step. */
const summaryMax = 900_000;

export function setOutputs(outputs) {
  for (const [name, value] of Object.entries(outputs)) {
    // A value cannot end its own block: others wrote parts of it.
    const end = randomUUID();
    appendFileSync(process.env.GITHUB_OUTPUT, `${name}<<${end}\n${value}\n${end}\n`);
  }
}

export const addSummary = (text) =>
  appendFileSync(process.env.GITHUB_STEP_SUMMARY, `${Buffer.from(text).subarray(0, summaryMax)}\n`);

/** Each line indented is code, whatever it says. */
export const asCode = (text) =>
  text
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");

/** Null: the command failed before it answered, and has said why. */
export function answerIn(path) {
  const text = readFileSync(path, "utf8");
  return text.trim() === "" ? null : JSON.parse(text);
}
