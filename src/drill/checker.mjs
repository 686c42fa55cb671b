// The drill's checker: checks that the feature is there, exactly. A plain program: `node checker.mjs WANTED.json`.
import { readFileSync, renameSync, writeFileSync } from "node:fs";

const { path, text } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
let found = null;
try {
  found = readFileSync(path, "utf8");
} catch {
  // Missing, so it is not met.
}
const met = found === text;
const reply = {
  verdict: met ? "pass" : "fail",
  summary: met
    ? `${path} is there and says what it should.`
    : `${path} is ${found === null ? "not there" : "not right"}.`,
  ...(met ? {} : { root_cause: `${path} is ${found === null ? "missing" : "wrong"}` }),
  criteria: [
    { criterion: "C1", met, verification: "observation", evidence: found === null ? [] : [{ file: path, line: 1 }] },
  ],
};
const to = process.env.LOOP_REPLY_FILE ?? "";
writeFileSync(`${to}.tmp`, JSON.stringify(reply));
renameSync(`${to}.tmp`, to);
