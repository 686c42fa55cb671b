// A format of secrets as its provider documents it: its pattern, and whether that is unambiguous.

export type Format = {
  /** For people: "GitHub token". */
  readonly what: string;
  /** The provider that documents it. */
  readonly provider: string;
  /** `body` is the part that differs between secrets; the text before it may be shown. */
  readonly pattern: RegExp;
  readonly sure: boolean;
  /** A pattern that must match on the same line or nearby, where the format alone could be anything. */
  readonly near: RegExp | null;
  /** How random it has to look, where any name or path of that length would match the pattern. */
  readonly stretchMin: number;
};

type More = { readonly sure?: false; readonly near?: RegExp; readonly shapeless?: true };
/** Less than for an unknown value: here the provider is named nearby. */
const shapelessStretch = 5;

/** A secret has no letters or digits directly around it. */
export function format(provider: string, what: string, pattern: RegExp, more: More = {}): Format {
  return {
    provider,
    what,
    pattern: new RegExp(`(?<![A-Za-z0-9])(?:${pattern.source})(?![A-Za-z0-9])`, `g${pattern.flags}`),
    sure: more.sure ?? true,
    near: more.near ?? null,
    stretchMin: more.shapeless === true ? shapelessStretch : 0,
  };
}
