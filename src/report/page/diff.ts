// A diff that is read on a phone as well: a block for each file, lines that wrap.
import { html, type Markup, none, shortened } from "../html/markup.ts";
import { count } from "../words/words.ts";
import type { Diff } from "./view.ts";

type File = { readonly name: string; readonly lines: readonly string[] };

const filesMax = 50;
const linesMax = 400;
const lineMax = 500;
/** Small changes are shown at once. */
const openLinesMax = 60;

export function diffPart(diff: Diff | null): Markup {
  if (diff === null || diff.text.trim() === "") return none;
  const files = filesIn(diff.text).sort((one, other) => Number(isRecord(one)) - Number(isRecord(other)));
  const all = files.reduce((sum, { lines }) => sum + lines.length, 0);
  const rest = files.length - filesMax;
  return html`<div class="diff">
${files.slice(0, filesMax).map((file) => filePart(file, all <= openLinesMax))}
${rest > 0 ? html`<p class="small">And ${count(rest, "file")} more.</p>` : none}
${diff.isCut ? html`<p class="small">The change is longer than what is shown here.</p>` : none}</div>`;
}

/** The loop's own queue comes last: what a person decides on is the work. */
const isRecord = ({ name }: File): boolean => /(?:^|\/)FEATURES\.json$/.test(name);

function filesIn(text: string): File[] {
  const files: { name: string; lines: string[] }[] = [];
  let isHead = true;
  for (const line of text.split("\n")) {
    if (line.startsWith("diff --git ")) {
      files.push({ name: line.replace(/^diff --git (?:"?a\/.*"? )?"?b\//, "").replace(/"$/, ""), lines: [] });
      isHead = true;
    } else if (line.startsWith("@@") || line.startsWith("Binary files")) isHead = false;
    if (!isHead) files.at(-1)?.lines.push(line);
  }
  return files;
}

function filePart({ name, lines }: File, isOpen: boolean): Markup {
  const [added, removed] = ["+", "-"].map((sign) => lines.filter((line) => line.startsWith(sign)).length);
  const rest = lines.length - linesMax;
  const shown = lines.slice(0, linesMax).filter((line, at, all) => line !== "" || at < all.length - 1);
  const numbers = html`<span class="numbers"><span class="good">+${added ?? 0}</span> <span class="bad">−${removed ?? 0}</span></span>`;
  return html`<details${isOpen ? html` open` : none}><summary><code>${shortened(name, 300)}</code> ${numbers}</summary>
<pre tabindex="0" role="group" aria-label="Changes in ${shortened(name, 100)}">${shown.map(linePart)}</pre>${rest > 0 ? html`<p class="small">And ${count(rest, "line")} more.</p>` : none}</details>
`;
}

function linePart(line: string): Markup {
  const look = line.startsWith("+") ? "add" : line.startsWith("-") ? "del" : line.startsWith("@@") ? "at" : "same";
  return html`<span class="${look}">${shortened(line, lineMax) || " "}
</span>`;
}
