// Adds keys that a clean checkout needs to the text of a loop.yaml: comments, order and everything else stay.
import { Document, isMap, isSeq, parseDocument, type YAMLSeq } from "yaml";
import { UserError } from "../../core/errors.ts";
import type { LoopYaml } from "./loop-schema.ts";
import { parseLoopYaml } from "./loop-yaml.ts";

/** List items that the file's list lacks are added to it. */
export type CheckoutKeys = Pick<LoopYaml, "build" | "room">;

const head = "# What a clean checkout of this project needs besides the tracked files. Found by: loop check\n";
const widthMax = 56;

/** The new text; `text` is null for a missing file. */
export function addToLoopYaml(text: string | null, keys: CheckoutKeys): string {
  if (text === null) return `${head}${keysText(keys)}`;
  parseLoopYaml(text, "loop.yaml");
  const document = parseDocument(text);
  const names = Object.keys(keys).filter((name) => isMap(document.contents) && document.has(name));
  const appended = `${text.replace(/\n*$/, text.trim() === "" ? "" : "\n")}${keysText(keys)}`;
  // New keys leave every other byte unchanged; a file that is one map in braces has to be rewritten.
  const found = names.length === 0 && isValid(appended) ? appended : merged(document, keys, /\{ /.test(text));
  if (!isValid(found)) throw notEdited(keys);
  return found;
}

function isValid(text: string): boolean {
  try {
    parseLoopYaml(text, "loop.yaml");
    return true;
  } catch {
    return false;
  }
}

/** The keys as a separate file. */
export const keysText = (keys: CheckoutKeys): string => merged(new Document({}), keys, false);

function merged(document: Document, { build, room }: CheckoutKeys, isPadded: boolean): string {
  if (build !== undefined) document.set("build", build);
  if (room !== undefined) {
    // Editing an alias would change its other uses.
    if (!isMap(document.get("room"))) document.set("room", document.createNode({}));
    for (const [name, list] of Object.entries(room)) if (list !== undefined) setList(document, name, list);
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: isPadded });
}

/** An existing list keeps its style and its comments. */
function setList(document: Document, name: string, list: readonly string[]): void {
  const before = document.getIn(["room", name]);
  if (isSeq(before)) {
    const known = new Set(before.toJS(document) as unknown[]);
    for (const item of list) if (!known.has(item)) before.add(document.createNode(item));
    return;
  }
  const node = document.createNode([...list]) as YAMLSeq;
  node.flow = `  ${name}: [${list.join(", ")}]`.length <= widthMax;
  document.setIn(["room", name], node);
}

const notEdited = (keys: CheckoutKeys): UserError =>
  new UserError("not-edited", {
    what: "loop.yaml was not changed.",
    why: "It has a form that cannot be edited safely.",
    next: `Add this to it:\n${keysText(keys)}`,
  });
