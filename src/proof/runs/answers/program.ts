// What is asked of modules, and the program that asks it.
import type { Call } from "../../source/index.ts";

export type Asked = Call & {
  readonly path: string;
  /** It is a class: an object is made with the arguments, and these methods are called on it in order. */
  readonly steps?: readonly Call[];
  /** It is the module itself: is it loaded, and what are these names of it? Without a path, it is the process. */
  readonly names?: readonly string[];
  /** The function is new: it is asked only whether it answers the same the second time. */
  readonly isNew?: true;
};

export const askedText = ({ name, args, steps = [], names }: Asked): string => {
  if (names !== undefined) return "what it exports";
  const calls = [{ name: steps.length === 0 ? name : `new ${name}`, args }, ...steps];
  return calls.map((call) => `${call.name}(${call.args.join(", ")})`).join(".");
};

/** Path or module, name, arguments, steps and names, as the programs read them. */
export const asData = ({ name, args, steps, names }: Asked, from: string): unknown[] => [
  from,
  name,
  `[${args.join(",")}]`,
  steps?.map((step) => [step.name, `[${step.args.join(",")}]`]) ?? null,
  names ?? null,
];
export type Orders = {
  readonly calls: readonly Asked[];
  /** The number of the one answer to print whole; -1: a digest of each. */
  readonly detail: number;
  /** Fields that are not compared. */
  readonly named: readonly string[];
  /** It asks the modules as they were: what could not be loaded then is not compared. */
  readonly isOld: boolean;
};

/** A file to lay into the checkout, and the command that runs it. */
export type Program = { readonly path: string; readonly text: string; readonly run: string };
/** Precedes the answers in what the program prints. */
export const mark = "loopwright-answer";
/** Characters of an answer that are shown. */
export const wordsMax = 2000;
