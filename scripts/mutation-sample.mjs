// A fair sample of the mutants of a module that has too many for one evening: SAMPLE=7 takes one in seven, SAMPLE=7/3
// another seventh. A mutant's hash decides, not its result. The others are reported as not checked, and do not count.
import { createHash } from "node:crypto";

const [of = 1, which = 0] = (process.env.SAMPLE ?? "1").split("/").map(Number);

class Sample {
  async init() {}

  async check(mutants) {
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, isTaken(mutant) ? taken : left]));
  }

  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }
}

const taken = { status: "passed" };
const left = { status: "compileError", reason: "not in the sample" };

function isTaken({ fileName, location: { start, end }, mutatorName, replacement }) {
  const file = fileName.slice(fileName.lastIndexOf("/src/"));
  const place = [file, start.line, start.column, end.line, end.column, mutatorName, replacement].join(" ");
  return createHash("sha256").update(place).digest().readUInt32BE() % of === which;
}

export const strykerPlugins = [{ kind: "Checker", name: "sample", injectableClass: Sample }];
