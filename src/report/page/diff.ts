// A diff that is read on a phone as well: a block for each file, lines that wrap.

import { shortened } from "../../formats/text/shortened.ts";
import { html, type Markup, none } from "../html/markup.ts";
import { count } from "../words/words.ts";
import type { Diff } from "./view.ts";

type Numbers = { readonly added: number | null; readonly removed: number | null };
type File = {
  readonly name: string;
  readonly lines: readonly string[];
  /** What is not in its lines: that it can be run, or is a link. */
  readonly notes: readonly string[];
};

const filesMax = 50;
const namesMax = 500;
const linesMax = 400;
const lineMax = 500;
/** Small changes are shown at once. */
const openLinesMax = 60;

export function diffPart(diff: Diff | null): Markup {
  if (diff === null || diff.text.trim() === "") return none;
  const read = filesIn(diff.text);
  // The same files in the same order, of which the text may have the first ones only.
  const told = diff.files ?? [];
  const unread = told.slice(read.length).map(({ path }) => ({ name: path, lines: [], notes: ["not shown"] }));
  const files = [...read, ...unread].map((file, at) => ({
    ...file,
    name: told[at]?.path ?? file.name,
    numbers: told[at] ?? null,
  }));
  const all = files.reduce((sum, { lines }) => sum + lines.length, 0);
  const rest = files.length - filesMax;
  return html`<div class="diff">
${files.slice(0, filesMax).map((file) => filePart(file, file.numbers, all <= openLinesMax))}
${rest > 0 ? html`<p class="small">And ${count(rest, "file")} more: ${files.slice(filesMax, filesMax + namesMax).map(({ name }) => html`<code>${shortened(name, 300)}</code> `)}</p>` : none}
${diff.isCut ? html`<p class="small">The change is longer than what is shown here.</p>` : none}</div>`;
}

function filesIn(text: string): File[] {
  const files: { name: string; lines: string[]; notes: string[] }[] = [];
  let isHead = true;
  for (const line of text.split("\n")) {
    if (line.startsWith("diff --git ")) {
      files.push({
        name: line.replace(/^diff --git (?:"?a\/.*"? )?"?b\//, "").replace(/"$/, ""),
        lines: [],
        notes: [],
      });
      isHead = true;
    } else if (line.startsWith("@@") || line.startsWith("Binary files")) isHead = false;
    if (!isHead) files.at(-1)?.lines.push(line);
    else files.at(-1)?.notes.push(...noteOf(line));
  }
  return files;
}

const modes: Readonly<Record<string, string>> = {
  "new file mode 120000": "a link",
  "new file mode 100755": "executable",
  "new mode 100755": "now executable",
  "new mode 100644": "no longer executable",
};
const noteOf = (line: string): string[] => {
  if (line.startsWith("deleted file mode")) return ["deleted"];
  const note = modes[line];
  return note === undefined ? [] : [note];
};

function filePart({ name, lines, notes }: File, told: Numbers | null, isOpen: boolean): Markup {
  const counted = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  const [added, removed] = [told?.added ?? counted("+"), told?.removed ?? counted("-")];
  const rest = lines.length - linesMax;
  const shown = lines.slice(0, linesMax).filter((line, at, all) => line !== "" || at < all.length - 1);
  const numbers = html`<span class="numbers"><span class="good">+${added}</span> <span class="bad">−${removed}</span></span>`;
  const about = notes.length === 0 ? none : html` <span class="small">${notes.join(", ")}</span>`;
  return html`<details${isOpen ? html` open` : none}><summary><code>${shortened(name, 300)}</code> ${numbers}${about}</summary>
<pre tabindex="0" role="group" aria-label="Changes in ${shortened(name, 100)}">${shown.map(linePart)}</pre>${rest > 0 ? html`<p class="small">And ${count(rest, "line")} more.</p>` : none}</details>
`;
}

function linePart(line: string): Markup {
  const look = line.startsWith("+") ? "add" : line.startsWith("-") ? "del" : line.startsWith("@@") ? "at" : "same";
  return html`<span class="${look}">${shortened(line, lineMax) || " "}
</span>`;
}
