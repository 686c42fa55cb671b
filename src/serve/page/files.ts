// The files that a page loads, read once. There is no way to ask for another one.
import { readFileSync } from "node:fs";
import { style } from "../../report/html/style.ts";

export type PageFile = { readonly type: string; readonly text: string };

const folder = new URL("../assets/", import.meta.url);
const script = (name: string): [string, PageFile] => [
  name,
  { type: "text/javascript; charset=utf-8", text: readFileSync(new URL(name, folder), "utf8") },
];

/** By name. The report's own style comes first: a page is the report, with more around it. */
export const pageFiles: () => ReadonlyMap<string, PageFile> = () =>
  new Map<string, PageFile>([
    ...["sign-in.js", "page.js", "morph.js", "answers.js", "kept.js", "clock.js", "connection.js"].map(script),
    [
      "page.css",
      { type: "text/css; charset=utf-8", text: `${style}${readFileSync(new URL("page.css", folder), "utf8")}` },
    ],
    ["icon.svg", { type: "image/svg+xml", text: readFileSync(new URL("icon.svg", folder), "utf8") }],
  ]);
