// Files that the loop has written, read back. Each has one schema: a damaged file, or one of a later release, is a
// sentence and never a crash.
import { z } from "zod";
import { UserError } from "../../core/errors.ts";

export type Kept<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** `Shape`: what the schema accepts. A value that the loop writes must have it, or the code does not compile. */
export class KeptFile<Shape> {
  readonly name: string;
  readonly version: number | null;
  readonly #schema: z.ZodType;

  constructor(name: string, version: number | null, schema: z.ZodType) {
    this.name = name;
    this.version = version;
    this.#schema = schema;
  }

  parse<T extends Shape>(text: string): Kept<T> {
    const json = jsonIn(text);
    if (!json.ok) return json;
    const found = versionIn(json.value);
    if (this.version !== null && found !== null && found > this.version)
      return { ok: false, why: `it has version ${found}, and this release knows version ${this.version}` };
    const parsed = this.#schema.safeParse(json.value);
    // What was checked is what the type says; keys that this release does not know stay as they are.
    if (parsed.success) return { ok: true, value: json.value as T };
    const [issue] = parsed.error.issues;
    return { ok: false, why: `${issue?.path.join(".") || "the file"}: ${issue?.message ?? "not as expected"}` };
  }

  /** Null: it is damaged, and nothing depends on it. */
  parseIfPossible<T extends Shape>(text: string): T | null {
    const kept = this.parse<T>(text);
    return kept.ok ? kept.value : null;
  }

  /** For a file that cannot be done without. `path` is where a person finds it. */
  mustParse<T extends Shape>(text: string, path: string, next = restore): T {
    const kept = this.parse<T>(text);
    if (kept.ok) return kept.value;
    throw new UserError("file-unreadable", {
      what: "A file of the loop cannot be read.",
      why: `${path}: ${kept.why}`,
      next,
    });
  }
}

const restore = "Restore the file from a backup, use the release that wrote it, or start a new run: loop run";

/** The schema decides the shape. `version`: the highest that this release knows; null: the file has none. */
export const keptFile = <Schema extends z.ZodType>(
  name: string,
  version: number | null,
  schema: Schema,
): KeptFile<z.input<Schema>> => new KeptFile(name, version, schema);

function jsonIn(text: string): Kept<unknown> {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, why: text.trim() === "" ? "it is empty" : "it is not JSON, or is cut off" };
  }
}

function versionIn(json: unknown): number | null {
  const parsed = z.union([z.object({ version: z.number() }), z.object({ v: z.number() })]).safeParse(json);
  if (!parsed.success) return null;
  return "version" in parsed.data ? parsed.data.version : parsed.data.v;
}
