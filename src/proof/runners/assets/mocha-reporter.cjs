// A reporter for Mocha: prints like its spec reporter, and writes each test with its file and name as JSON lines.
// A plain program, loaded by the mocha of the workspace. Its option `to` is the file, percent-encoded.
"use strict";
const { appendFileSync } = require("node:fs");

class LoopReporter {
  constructor(runner, options) {
    const to = `${decodeURIComponent(options.reporterOptions?.to ?? options.reporterOption?.to ?? "")}`;
    const Spec = specOf();
    this.spec = Spec === null ? null : new Spec(runner, options);
    if (to === "") return;
    const write = (line) => appendFileSync(to, `${JSON.stringify(line)}\n`);
    write({ runner: "mocha" });
    const add = (how) => (test) => write({ file: test.file ?? fileAround(test), name: pathOf(test), how });
    runner.on("pass", add("passed"));
    runner.on("pending", add("skipped"));
    runner.on("fail", add("failed"));
    runner.on("end", () => write({ end: true }));
  }

  done(failures, end) {
    if (typeof this.spec?.done === "function") this.spec.done(failures, end);
    else end(failures);
  }
}
module.exports = LoopReporter;

/** Mocha has loaded its own reporters; by name it could not be found from here. */
function specOf() {
  const list = Object.keys(require.cache).find((path) => /[\\/]lib[\\/]reporters[\\/]index\.c?js$/.test(path));
  const found = list === undefined ? null : require.cache[list].exports.Spec;
  return typeof found === "function" ? found : null;
}

function pathOf(test) {
  if (typeof test.titlePath === "function") return test.titlePath();
  return [typeof test.fullTitle === "function" ? test.fullTitle() : String(test.title)];
}

/** A hook that failed has no file itself. */
function fileAround({ parent }) {
  return parent === undefined || parent === null ? null : (parent.file ?? fileAround(parent));
}
