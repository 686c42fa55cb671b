// A format of secrets as its provider documents it: what it looks like, and how sure it is that nothing else does.

export type Format = {
  /** For people: "GitHub token". */
  readonly what: string;
  /** Whose documents describe it. */
  readonly provider: string;
  /** `body` is the part that differs from secret to secret; what is before it may be shown. */
  readonly pattern: RegExp;
  readonly sure: boolean;
  /** What has to be in the same line or a neighbouring one, where the format alone could be anything. */
  readonly near: RegExp | null;
  /** How much of it has to look drawn by lot, where any name or path of that length would fit the pattern. */
  readonly stretchMin: number;
};

type More = { readonly sure?: false; readonly near?: RegExp; readonly shapeless?: true };
/** Less than for a value of which nothing is known: here the provider is named beside it. */
const shapelessStretch = 5;

/** A secret begins and ends where the letters and digits around it do. */
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
