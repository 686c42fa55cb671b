// Intake on the screen: a table of the findings, what they mean for a run, and what to add.
import { stripVTControlCharacters } from "node:util";
import { scoring } from "../../formats/reply/hope-forms.ts";
import { shortened } from "../../formats/text/shortened.ts";
import {
  type Dimension,
  type Evidence,
  type Intake,
  missing,
  type Reversibility,
  type Shape,
} from "../../intake/intake.ts";
import type { Paint } from "./paint.ts";

const shapeMeans: Readonly<Record<Shape, string>> = {
  tool: "clear enough to run by itself, and report at the end",
  colleague: "clear enough to begin, once you have agreed to what will be built",
  "intent-needed": "not clear enough to spend anything on",
};
const undoing: Readonly<Record<Reversibility, string>> = {
  "2A": "undone in under a minute",
  "2B": "undone in under five minutes, from a checkpoint",
  "1": "hours to undo, if at all: looked at by an adversary before anything is built",
};
const widthMax = 100;

/** The whole answer of `loop score`. */
export function scoreText(found: Intake, request: string, paint: Paint): string {
  const parts = [
    table(found, paint),
    verdicts(found, paint),
    ...(found.shape === "tool" ? [] : [questionsText(found, paint)]),
    nextText(found, request, paint),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const shapeWords = { tool: "Tool", colleague: "Colleague", "intent-needed": "Intent" } as const;

/** The points alone, as the hope loop writes them. */
export function seedScore({ dimensions, score, shape }: Intake): string {
  const points = dimensions.map(({ name, score: each, evidence }) => ({
    ...{ name, score: each },
    found: evidence.length === 0 ? "nothing" : evidenceText(evidence, widthMax - 20),
  }));
  return `${scoring(points, score, shapeWords[shape])}\n`;
}

function table({ dimensions, score }: Intake, paint: Paint): string {
  const colour = [paint.red, paint.yellow, paint.green] as const;
  const rows = dimensions.map(({ name, score: each, evidence }) => {
    const words = evidence.length === 0 ? paint.dim("nothing") : evidenceText(evidence, widthMax - 20);
    return `${name.padEnd(11)}  ${colour[each](String(each))}      ${words}`;
  });
  const total = `${"total".padEnd(11)}  ${score} of 10`;
  return [paint.bold(`${"dimension".padEnd(11)}  score  found`), ...rows, paint.bold(total)].join("\n");
}

function verdicts({ shape, workflow, rule, reversibility, reasons, languageKnown }: Intake, paint: Paint): string {
  const colour = shape === "tool" ? paint.green : shape === "colleague" ? paint.yellow : paint.red;
  const because = (what: keyof Intake["reasons"]): string => {
    const { why, evidence } = reasons[what];
    return `${why.join("; ")}${evidence.length === 0 ? "" : `: ${evidenceText(evidence, 60)}`}`;
  };
  const row = (title: string, ...texts: string[]): string =>
    texts
      .flatMap((text) => wrap(text, widthMax - 15))
      .map((text, at) => `${(at === 0 ? title : "").padEnd(13)}  ${text}`)
      .join("\n");
  return [
    row("shape", `${colour(shape)}: ${shapeMeans[shape]}`, `(${because("shape")})`),
    row("workflow", `${paint.cyan(workflow)} (${because("workflow")})`, rule),
    row(
      "reversibility",
      `${reversibility === "1" ? paint.red("1") : reversibility}: ${undoing[reversibility]}`,
      `(${because("reversibility")})`,
    ),
    ...(languageKnown
      ? []
      : [
          row(
            "language",
            "The rules know English. In another language they find less than is there, and do not refuse for it.",
          ),
        ]),
  ].join("\n");
}

/** What is missing, as questions with example answers; also printed when a run is refused. */
export function questionsText(found: Intake, paint: Paint): string {
  const open = missing(found);
  const asked = open.length > 0 ? open : found.dimensions.filter(({ score }) => score === 1);
  const title =
    found.shape === "intent-needed"
      ? "To be answered:"
      : open.length > 0
        ? "It does not say:"
        : "It could say more about:";
  return [paint.bold(title), ...asked.map((dimension) => questionText(dimension, paint))].join("\n");
}

const questionText = ({ name, question, example }: Dimension, paint: Paint): string =>
  [
    `  ${name.padEnd(11)}  ${question}`,
    ...wrap(`e.g. "${example}"`, widthMax - 15).map((text) => `  ${"".padEnd(11)}  ${paint.dim(text)}`),
  ].join("\n");

function nextText({ shape }: Intake, request: string, paint: Paint): string {
  const command = /^[\w ,.-]{1,60}$/.test(request) ? `loop "${request}"` : 'loop "…"';
  if (shape !== "intent-needed") return `${paint.bold("Next:")} ${command}`;
  return `${paint.bold("Next:")} say in the request what will be different, and where, then: loop score "…"`;
}

/** The exact words, in quotation marks; text from a file, with the file. */
function evidenceText(evidence: readonly Evidence[], width: number): string {
  const texts = evidence.map((each) => {
    const words = stripVTControlCharacters(each.text)
      .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")
      .trim();
    return "file" in each ? `${shortened(words, 40)} (${each.file})` : `"${shortened(words, 40)}"`;
  });
  let shown = texts[0] ?? "";
  for (const text of texts.slice(1)) {
    if (shown.length + text.length + 2 > width) return `${shown}, …`;
    shown += `, ${text}`;
  }
  return shown;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && stripVTControlCharacters(`${line} ${word}`).length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
