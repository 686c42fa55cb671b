// TAP by name: every test point of an output that is entirely TAP.
import { casesMax, nameOf, type TestCase } from "./cases.ts";

const version = /^TAP version 1[34]$/;
const plan = /^1\.\.(\d{1,7})(?: +#.*)?$/;
const point = /^( *)(not )?ok(?: +(\d{1,7}))?(?: +-)?(?: +(.*))?$/;
const directive = /(?:^|[^\\])# *(skip|todo)\b/i;
const subtest = /^( *)# Subtest: (.+)$/;
/** npm, pnpm, yarn, make and `set -x` print what they start. */
const announcement = /^(?:\s*$|> |\$ |\+ |make(?:\[\d+\])?: |yarn run v|[\w./@-]+@\d\S* )/;

/**
 * Null: the output is not TAP, or incomplete. A stream counts only if its plan and its points match: test output that
 * looks like a point breaks the numbering.
 */
export function tapCases(text: string): readonly TestCase[] | null {
  const streams: Stream[] = [];
  let begun = false;
  for (const raw of text.split("\n")) {
    const line = raw.trimEnd();
    if (!begun && announcement.test(line)) continue;
    if (!begun && !version.test(line) && !plan.test(line) && !point.test(line) && !line.startsWith("#")) return null;
    begun = true;
    if (!take(line, streams)) return null;
  }
  const whole = streams.every(({ planned, points }) => planned === points);
  const cases = streams.flatMap((stream) => stream.cases);
  return whole && cases.length > 0 && cases.length <= casesMax ? cases : null;
}

/** `points`: the number of top-level points. */
type Stream = { planned: number | null; points: number; readonly cases: TestCase[]; readonly groups: string[] };

function take(line: string, streams: Stream[]): boolean {
  if (version.test(line)) return streams.push(emptyStream()) > 0;
  const planned = plan.exec(line);
  if (planned !== null) {
    openFor(streams, (stream) => stream.planned === null).planned = Number(planned[1]);
    return true;
  }
  const named = subtest.exec(line);
  if (named !== null) {
    const { groups } = openFor(streams, () => true);
    groups.splice(depthOf(named[1]), groups.length, named[2] ?? "");
    return true;
  }
  const found = point.exec(line);
  return found === null || addPoint(found, streams);
}

function addPoint([, indent, not, number, rest = ""]: RegExpExecArray, streams: Stream[]): boolean {
  const depth = depthOf(indent);
  // A stream with a leading plan is complete when it has all its points; a trailing plan closes it.
  const stream = openFor(streams, ({ planned, points }) => depth > 0 || planned === null || points < planned);
  if (depth === 0) stream.points += 1;
  if (depth === 0 && number !== undefined && Number(number) !== stream.points) return false;
  const how = directive.test(rest) ? "skipped" : not === undefined ? "passed" : "failed";
  const title = rest.replace(/(^|[^\\])#.*$/, "$1").replaceAll("\\#", "#");
  const name = nameOf([...stream.groups.slice(0, depth), title]) || `test ${number ?? stream.points}`;
  if (stream.cases.length <= casesMax) stream.cases.push({ file: null, name, how });
  return true;
}

const depthOf = (indent: string | undefined): number => Math.ceil((indent ?? "").length / 4);
const emptyStream = (): Stream => ({ planned: null, points: 0, cases: [], groups: [] });

function openFor(streams: Stream[], isOpen: (stream: Stream) => boolean): Stream {
  const last = streams.at(-1);
  if (last !== undefined && isOpen(last)) return last;
  const fresh = emptyStream();
  streams.push(fresh);
  return fresh;
}
