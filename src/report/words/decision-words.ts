// What was decided about open questions, and by whom, one line each.
import type { Decision } from "../../core/run.ts";
import { shortLine } from "../../formats/text/shortened.ts";

/** `F001: Which case? → Upper case. (the agent's supposition)` */
export const decisionLine = ({ feature, question, answer, source }: Decision): string =>
  `${feature ?? "run"}: ${shortLine(question, 300)} → ${shortLine(answer, 300)} (${source === "person" ? "your answer" : "the agent's supposition"})`;

/** The answers that no person has given: they are news in the morning. */
export const supposedLines = (decisions: readonly Decision[]): string[] =>
  decisions.filter(({ source }) => source === "supposition").map(decisionLine);
