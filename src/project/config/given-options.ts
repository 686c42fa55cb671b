// Options that a program gives: a misspelt or mistyped one is an error, since ignored it would be a limit that does not
// hold, or other work than was asked for.
import { UserError } from "../../core/errors.ts";
import { nearest } from "../../formats/text/nearest.ts";

type Kind = "string" | "boolean" | "number" | "object" | "function";
type Known = Readonly<Record<string, Kind>>;
/** Every option of a type, by name: one that is added there is missing here. */
export type Names<Options> = Known & Readonly<Record<keyof Options, Kind>>;

/** `verb`: as it is called, without brackets. `what`: what did not happen. */
export function refuseWrongOptions(verb: string, what: string, given: unknown, known: Known): void {
  const refuse = (why: string, next: string): UserError => new UserError("unknown-option", { what, why, next });
  const all = `It has: ${Object.keys(known).join(", ")}.`;
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw refuse(`${verb}() takes an object of options, and got ${shown(given)}.`, all);
  for (const [name, value] of Object.entries(given)) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined) {
      const meant = nearest(name, Object.keys(known));
      throw refuse(`${verb}() has no option ${JSON.stringify(name)}.`, meant === null ? all : `Did you mean ${meant}?`);
    }
    if (value !== undefined && (typeof value !== kind || value === null))
      throw refuse(`The option ${name} of ${verb}() is ${shown(value)}.`, `It has to be of type ${kind}.`);
  }
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 60);
