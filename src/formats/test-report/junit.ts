// JUnit XML, as nearly every runner can write it. Only tags are looked at, one after the other: no entities, no nesting.
import { type Counts, Tally, type TestEnd } from "./counts.ts";

/** Null: the text has no test suite in it. */
export function readJunit(text: string): Counts | null {
  const tally = new Tally();
  let seen = false;
  let open: { name: string; how: TestEnd } | null = null;
  const close = (): void => {
    if (open !== null) tally.test(open.name, open.how);
    open = null;
  };
  for (const tag of tags(text)) {
    const name = /^\/?[A-Za-z]+/.exec(tag)?.[0] ?? "";
    if (name === "testsuite" || name === "testsuites") seen = true;
    else if (name === "testcase") {
      close();
      open = { name: titleOf(tag), how: /\bstatus="(?:notrun|skipped)"/.test(tag) ? "skipped" : "passed" };
      if (tag.endsWith("/")) close();
    } else if (name === "/testcase") close();
    else if (open !== null && (name === "failure" || name === "error")) open.how = "failed";
    else if (open !== null && name === "skipped" && open.how === "passed") open.how = "skipped";
  }
  close();
  return seen ? tally.counts() : null;
}

const tagLengthMax = 10_000;

function* tags(text: string): Generator<string> {
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const [start, end] = text.startsWith("<![CDATA[", at)
      ? ["<![CDATA[", "]]>"]
      : text.startsWith("<!--", at)
        ? ["<!--", "-->"]
        : ["<", ">"];
    const close = text.indexOf(end, at + start.length);
    if (close < 0) return;
    if (start === "<") yield text.slice(at + 1, Math.min(close, at + tagLengthMax));
    at = close + end.length;
  }
}

function titleOf(tag: string): string {
  const of = (name: string): string => new RegExp(`\\s${name}="([^"]{0,500})"`).exec(tag)?.[1] ?? "";
  return [of("classname"), of("name")].filter((part) => part !== "").join(" ");
}
