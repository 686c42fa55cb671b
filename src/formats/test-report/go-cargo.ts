// go test, plain with -v or as JSON lines, and cargo test.
import { countOf, type LineReader, Tally, type TestEnd } from "./counts.ts";

const goLine = /^ *--- (PASS|FAIL|SKIP): (\S+) \(\d[\d.]*s\)$/;
const goEnds: Readonly<Record<string, TestEnd>> = {
  PASS: "passed",
  FAIL: "failed",
  SKIP: "skipped",
  pass: "passed",
  fail: "failed",
  skip: "skipped",
};

export function goReader(): LineReader {
  const plain = new Tally();
  const json = new Tally();
  let isJson = false;
  return {
    line(text) {
      const shown = goLine.exec(text);
      if (shown !== null) return plain.test(shown[2] ?? "", goEnds[shown[1] ?? ""] ?? "failed");
      if (!text.startsWith('{"') || !text.includes('"Action":')) return;
      const event = eventOf(text);
      if (event === null) return;
      isJson = true;
      const how = goEnds[event.Action];
      if (how !== undefined && event.Test !== "") json.test(`${event.Package}: ${event.Test}`, how);
    },
    end() {
      if (isJson) return json.counts();
      const counts = plain.counts();
      return counts.total === 0 ? null : counts;
    },
  };
}

type GoEvent = { Action: string; Package: string; Test: string };

function eventOf(text: string): GoEvent | null {
  try {
    const { Action, Package, Test } = JSON.parse(text) as Record<string, unknown>;
    return typeof Action === "string" ? { Action, Package: String(Package ?? ""), Test: String(Test ?? "") } : null;
  } catch {
    return null;
  }
}

const cargoLine = /^test (\S.{0,300}?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b/;
const cargoSum =
  /^test result: (?:ok|FAILED)\. (\d{1,7}) passed; (\d{1,7}) failed; (\d{1,7}) ignored; \d+ measured; \d+ filtered out/;
const cargoEnds: Readonly<Record<string, TestEnd>> = { ok: "passed", FAILED: "failed", ignored: "skipped" };

export function cargoReader(): LineReader {
  const tally = new Tally();
  let seen = false;
  return {
    line(text) {
      const shown = cargoLine.exec(text);
      if (shown !== null) return tally.name(shown[1] ?? "", cargoEnds[shown[2] ?? ""] ?? "failed");
      const sums = cargoSum.exec(text);
      if (sums === null) return;
      seen = true;
      tally.add("passed", countOf(sums[1]));
      tally.add("failed", countOf(sums[2]));
      tally.add("skipped", countOf(sums[3]));
    },
    end: () => (seen ? tally.counts() : null),
  };
}
