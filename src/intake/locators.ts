// What pins down a place: files, routes, flags, names in code, a named button or command, or all of a kind.
import { isContent } from "./deeds.ts";
import { distinct, type FromRequest, findAll } from "./evidence.ts";
import type { Reading } from "./reading.ts";
import { calledInExample } from "./wording.ts";
import { saysNothing, wordsOf } from "./words.ts";

const path =
  /(?<![\w@:/.-])(?:\.{0,2}\/)?(?:[\w.@*-]{1,60}\/){1,10}[\w.@*{},-]{0,80}[\w*}/]|(?<![\w/.-])[\w*-]{1,60}\.(?:[cm]?[jt]sx?|py|rs|go|rb|java|kt|swift|cs|cpp|hpp|c|h|php|vue|svelte|html|s?css|sql|sh|ya?ml|toml|json|md|rst|txt|ini|proto|tf)\b|(?<!\w)\.env\b|\b(?:README|CHANGELOG|LICENSE|CONTRIBUTING|Dockerfile|Makefile)\b/g;
const route = /(?<![\w.:/])\/[a-z][\w.:{}-]{0,60}(?:\/[\w.:{}-]{1,60}){0,8}/g;
const code =
  /`[^`\n]{1,80}`|(?<![\w-])--[a-z][\w-]{1,40}|\b[\w$.]{1,60}\(\)|\b[a-z]+_[a-z][a-z0-9_]{0,50}\b|\b[a-z][a-z0-9]{1,30}\.[a-z][a-z_]{2,40}\b|\b(?:[a-z]{2,20}[A-Z][a-z]+|[A-Z][a-z]{2,20}[A-Z][a-z]{2,20})\w{0,40}\b/g;
const quoted = /(?<![\w"'])(?:"[^"\n]{2,60}"|'[^'\n]{2,60}'|“[^”\n]{2,60}”)(?!\w)/g;
const named =
  /\b([\w'-]{2,30}) (?:commands?|cmd|endpoints?|routes?|function|method|class|table|column|button|dialog|hook|flag|option|field)\b/gi;
const every = /\b(?:all|every|each)(?: of)?(?: the| our)? ([\w'-]{2,30})(?: [\w'-]{2,30})?/gi;
const deps = /\b(?:upd(?:ate)?|upgrade|bump)(?: all| the| our)? (?:deps|dependencies|packages)\b/gi;
const products =
  /^(?:\w{0,30}(?:Error|Exception)|JavaScript|TypeScript|GitHub|GitLab|OAuth|PayPal|PostgreSQL|GraphQL|WebSockets?|MongoDB|OpenAPI|and\/or|[ei]\.[eg]|https?)$/i;

/** Text that names a place exactly. A slash between two plain words ("limit/offset") is a choice, not a path. */
export function locators({ prose, plain, pasted, text }: Reading): FromRequest[] {
  const found = [
    ...findAll(path, prose, text, 12).filter((each) => !isChoice(each.text)),
    ...findAll(path, pasted, text, 12).filter(
      (each) => !/node_modules|^internal\//.test(each.text) && !isChoice(each.text),
    ),
    ...findAll(route, prose, text, 12),
    ...findAll(code, prose, text, 12),
    ...findAll(calledInExample, prose, text, 12),
    ...naming(named, plain, text),
    ...findAll(deps, plain, text),
  ];
  return distinct(found.filter((each) => !products.test(each.text)));
}

/** Exact words, for example of a message. They are no place, but they say what is meant. */
export const quotations = ({ prose, text }: Reading): FromRequest[] =>
  findAll(quoted, prose, text, 12).filter((each) => wordsOf(each.text).some((word) => !saysNothing(word.text)));

/** All of a kind: a set that can be enumerated. */
export const closedSets = ({ plain, text }: Reading): FromRequest[] => naming(every, plain, text);

const isChoice = (text: string): boolean =>
  /^[a-z]+(?:\/[a-z]+)+$/i.test(text) &&
  !/^(?:src|lib|test|tests|docs|packages|app|config|bench|scripts|jobs)\//.test(text);

/** Matches whose first group is specific: "the login route", not "the route". */
function naming(pattern: RegExp, plain: string, text: string): FromRequest[] {
  const places = new Set<number>();
  for (const match of plain.matchAll(pattern)) {
    if (isContent((match[1] ?? "").toLowerCase())) places.add(match.index);
    if (places.size >= 8) break;
  }
  return findAll(pattern, plain, text, 50).filter(({ at }) => places.has(at));
}
