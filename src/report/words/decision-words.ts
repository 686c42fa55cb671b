// What was decided about open questions, and by whom, one line each.
import type { Decision } from "../../core/run.ts";

/** `F001: Which case? → Upper case. (the agent's supposition)` */
export const decisionLine = ({ feature, question, answer, source }: Decision): string =>
  `${feature ?? "run"}: ${oneLine(question)} → ${oneLine(answer)} (${source === "person" ? "your answer" : "the agent's supposition"})`;

/** The answers that no person has given: they are news in the morning. */
export const supposedLines = (decisions: readonly Decision[]): string[] =>
  decisions.filter(({ source }) => source === "supposition").map(decisionLine);

const oneLine = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
};
