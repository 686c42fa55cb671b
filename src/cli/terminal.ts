// How to print: with colours, redrawing, or neither.
import { visibleText } from "../formats/text/visible-text.ts";

type Env = Readonly<Record<string, string | undefined>>;
type Stream = { readonly isTTY?: boolean };
type Wanted = { readonly color?: boolean; readonly plain?: boolean };

/** --no-color, then FORCE_COLOR, then NO_COLOR, then whether a person sees it. */
export function isColoured({ color }: Wanted, stream: Stream, env: Env = process.env): boolean {
  if (color === false) return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  return stream.isTTY === true && env["TERM"] !== "dumb";
}

/** Whether lines may be redrawn: never in a pipe, nor for a screen reader. */
export const isRedrawn = ({ plain }: Wanted, stream: Stream, env: Env = process.env): boolean =>
  plain !== true && stream.isTTY === true && env["TERM"] !== "dumb";

/** The styles of our own painter. */
const ours = /(\u001b\[(?:1|2|22|31|32|33|36|39)m)/;

/** Everything that is printed goes through here: other control characters are shown and do nothing. */
export const printable = (text: string): string =>
  text
    .split(ours)
    .map((part, at) => (at % 2 === 1 ? part : visibleText(part)))
    .join("");

/** JSON escapes what is below a space; the other characters that a terminal obeys are escaped here. */
export const printableJson = (text: string): string =>
  text.replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
