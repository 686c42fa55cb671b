// The document around the parts: landmarks, the live region, and the files that it loads.
import { html, Markup, none } from "../html/markup.ts";
import type { Parts } from "./pages.ts";
import { tailLines } from "./tail.ts";
import type { May, TailLine } from "./view.ts";

type Shown = {
  /** Where the changes come from. */
  readonly live: string;
  readonly version: string;
  readonly who: string;
  readonly may: May;
  readonly isHome: boolean;
  readonly lines: readonly TailLine[];
};

export function pageHtml({ title, parts }: Parts, shown: Shown): string {
  const { live, version, who, may, isHome, lines } = shown;
  const { head = "", foot = "", ...rest } = parts;
  const search = html`<div class="search" role="search"><label for="search">Search runs</label><input id="search" type="search" placeholder="Request, workspace, task, state" autocomplete="off" spellcheck="false"></div>`;
  const main = Object.entries(rest).map(
    ([name, source]) =>
      html`${name === "runs" && isHome ? search : none}${partBox(name, name === "tail" ? withLines(source, lines) : source)}`,
  );
  return document(
    title,
    html`<a class="skip" href="#main">Skip to the content</a>
<header class="top"><p class="brand"><a href="/">Loopwright</a></p><p class="small">${who}${may === "read" ? ", may only look" : ""}</p></header>
<p id="connection" role="status"></p>
<p id="said" role="status"></p>
<main id="main" tabindex="-1" data-live="${live}" data-version="${version}">
${partBox("head", head)}
<div id="kept"></div>
${main}
</main>
<footer>${partBox("foot", foot)}</footer>
<script type="module" src="/assets/page.js"></script>`,
  );
}

const partBox = (name: string, source: string): Markup =>
  html`<div id="part-${name}" data-part="${name}">${new Markup(source)}</div>
`;

/** The lines are in the page once; after that the script adds what is new. */
const withLines = (source: string, lines: readonly TailLine[]): string =>
  source.replace(/(<ol id="log"[^>]*>)/, (found) => `${found}${tailLines(lines).source}`);

/** A page without anything to see. */
export const plainHtml = (title: string, body: Markup, script: string | null): string =>
  document(
    title,
    html`<main class="plain-page"><h1>${title}</h1>${body}</main>${script === null ? none : html`<script src="${script}"></script>`}`,
  );

const document = (title: string, body: Markup): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/assets/page.css">
<link rel="icon" href="/assets/icon.svg">
</head>
<body>
${body}
</body>
</html>
`.source;
