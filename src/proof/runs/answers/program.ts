// What is asked of modules, and the program that asks it.
import * as fs from "node:fs";
import type { Call } from "../../source/index.ts";

export type Language = "javascript" | "python";

export type Asked =
  /** Calls with the arguments that tests give, and with many others. */
  | (Of & {
      readonly ask: "function";
      readonly seeds: readonly (readonly string[])[];
      /** Calls that the feature and its tests make, which may be answered otherwise now. */
      readonly witnesses: readonly (readonly string[])[];
      readonly parameters: readonly string[];
      /** The feature names it and says that it stays as it is: calls that the feature is about are not compared. */
      readonly isKept: boolean;
      /** The feature says that arguments are left alone. */
      readonly mustKeepArguments?: boolean;
    })
  /** An object is made with the arguments, and these methods are called on it in order. */
  | (Of & { readonly ask: "class"; readonly args: readonly string[]; readonly steps: readonly Call[] })
  /** What can be done with such an object, beyond its methods. */
  | (Of & { readonly ask: "abilities"; readonly args: readonly string[] })
  /** The entries of an exported table. */
  | (Of & { readonly ask: "data" })
  /** Is the module loaded, and what are these names of it? */
  | (Of & { readonly ask: "names"; readonly names: readonly string[] })
  /** What loading all of them has changed in the process. */
  | (Of & { readonly ask: "process" });

type Of = {
  readonly path: string;
  readonly name: string;
  /** It is new: it is asked only whether it answers the same each time. */
  readonly isNew?: true;
};

/** Literals of the code itself, old and new: values at which it may behave differently. */
export type Words = {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  /** Names of fields and options. */
  readonly keys: readonly string[];
};

export type Orders = {
  readonly questions: readonly Asked[];
  readonly words: Words;
  /** Fields that are not compared. */
  readonly named: readonly string[];
  /** Texts, and families of variants, that the feature is about. */
  readonly avoid: readonly string[];
  readonly skip: readonly string[];
  /** It asks the modules as they were: what could not be loaded then is not compared. */
  readonly isOld: boolean;
  readonly detail: Detail;
};

/**
 * null: a digest of every answer. Otherwise of one of them: the digests of its calls; one call with its answer; or digests of
 * calls that are made plainer (null: its witnesses, in every way).
 */
export type Detail =
  | null
  | readonly [at: number, call: number | null]
  | { readonly at: number; readonly calls: readonly number[] | null; readonly ways: readonly number[] | null };

/** Each question is asked four times: first, at once again, from the end, and after callers have changed the answers. */
export const passes = { again: 1, fromTheEnd: 2, spoiled: 3 } as const;

/** Files to lay into the checkout, and the command that runs them. */
export type Program = {
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly run: string;
};

const asset = (name: string): string => fs.readFileSync(new URL(`./assets/${name}`, import.meta.url), "utf8");

export function programOf(language: Language, { questions, avoid, skip, ...orders }: Orders): Program {
  const isPython = language === "python";
  const told = questions.map((question) => ({
    ...question,
    path: isPython ? moduleOf(question.path) : question.path,
    ...(question.ask === "function" ? { avoid, skip: question.isKept ? skip : [] } : {}),
  }));
  const path = isPython ? "loopwright_answers.py" : "loopwright-answers.mjs";
  const plainer = isPython ? "loopwright_plainer.py" : "loopwright-plainer.mjs";
  return {
    files: [
      { path, content: asset(isPython ? "ask.py" : "ask.mjs") },
      { path: plainer, content: asset(plainer) },
      { path: "loopwright-answers.json", content: JSON.stringify({ questions: told, ...orders }) },
    ],
    // Far from Greenwich, so that local and universal time differ.
    run: `TZ=Pacific/Kiritimati ${isPython ? "python3" : "node"} ./${path}`,
  };
}

const moduleOf = (path: string): string =>
  path
    .replace(/^src\//, "")
    .replace(/(?:\/__init__)?\.py$/, "")
    .replaceAll("/", ".");

/** What follows its mark in the output of the program; empty: it was ended, or could not start. */
export const printedBy = (tail: string): string => /^loopwright-answer (.*)$/m.exec(tail)?.[1]?.trim() ?? "";
export const listIn = (text: string): string[] => text.split("~|~").map((each) => each.trim());
/** The arguments of a call, and its answer. */
export const callIn = (text: string): readonly [args: string, answer: string] => {
  const [args = "", answer = ""] = text.split("~>~");
  return [args.trim(), answer.trim()];
};
