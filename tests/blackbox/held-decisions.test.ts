// What a person decides about held work, and about a builder that needs to change a protected test.
import * as fs from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { ended, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, right, sampleFiles } from "../support/sample.ts";
import { hasScript, typed } from "../support/terminal.ts";
import { anyTry, branches, done, later, two, untested, untestedFirst, write } from "../support/unproved.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

describe("a feature that cannot be proved", () => {
  test("rejected with a reason is built again, and the builder gets the reason and the earlier work", {
    timeout: 180_000,
  }, async () => {
    project = untestedFirst();
    const of = project;
    expect((await of.loop("run")).code).toBe(7);
    of.write({ "ignored.txt": "" });
    const other = await of.loop("allow", "F001");
    expect([other.code, other.stderr]).toEqual([64, expect.stringContaining("loop accept F001")]);
    const rejected = await of.loop("reject", "F001", "--reason", "Write a test for it.");
    expect(rejected.code, rejected.stderr).toBe(0);
    expect(branches(of)).toBe("main");
    expect(rejected.stderr).toContain("F001 is rejected. The branch loop/held/F001 is removed. The diff is kept: ");
    const kept = /The diff is kept: (\S+)/.exec(rejected.stderr)?.[1] ?? "";
    expect(fs.readFileSync(kept, "utf8")).toContain("+export const f001");
    const told = of.prompts("builder").at(-1) ?? "";
    expect(told).toContain("Write a test for it.");
    expect(told).toContain("Earlier work on this feature is not in the folder");
    expect(of.git("log", "--format=%(trailers:key=Loop-Accepted-By)", "main").trim()).toBe("");
  });

  test("is not rejected without a reason", { timeout: 180_000 }, async () => {
    project = untestedFirst();
    const of = project;
    expect((await of.loop("run")).code).toBe(7);
    for (const reason of [[], ["--reason", " "]]) {
      const { code, stderr } = await of.loop("reject", "F001", ...reason);
      expect([code, stderr]).toEqual([64, expect.stringContaining('Next: loop reject F001 --reason "…"')]);
    }
    expect(of.events().some(({ type }) => type === "turned-down")).toBe(false);
    expect(branches(of)).toContain("loop/held/F001");
  });

  test.skipIf(!hasScript())(
    "is rejected at a terminal with the reason that is asked for",
    {
      timeout: 180_000,
    },
    async () => {
      project = untestedFirst();
      const of = project;
      expect((await of.loop("run")).code).toBe(7);
      const { seen } = await typed(
        of,
        ["reject", "F001", "--no-continue"],
        [
          ["Why is F001 rejected?", "\r"],
          ["Type a reason", "Write a test for it.\r"],
        ],
      );
      expect(seen).toContain("Next: loop continue");
      expect(of.events().at(-1)).toMatchObject({ type: "turned-down", reason: "Write a test for it." });
    },
  );

  test.skipIf(!hasScript())(
    "that is not held is refused before anyone is asked to pay for another attempt",
    { timeout: 180_000 },
    async () => {
      project = untestedFirst();
      expect((await project.loop("run")).code).toBe(7);
      const { code, seen } = await typed(project, ["reject", "F002", "--reason", "Not like this."], []);
      expect([code, seen.includes("paid for"), seen.includes("No work on F002 waits")]).toEqual([1, false, true]);
    },
  );

  test("accepted after someone changed the same lines is built again", { timeout: 180_000 }, async () => {
    project = untestedFirst();
    const of = project;
    expect((await of.loop("run")).code).toBe(7);
    of.write({ "src/F001.js": "export const f001 = () => 'by hand';\n", "ignored.txt": "" });
    of.git("add", "src");
    of.git("commit", "--quiet", "--message", "by hand");
    const taken = await of.loop("accept", "F001");
    expect(of.events().some(({ type, conflicts }) => type === "taken-up" && String(conflicts) === "src/F001.js")).toBe(
      true,
    );
    expect(of.prompts("builder").at(-1)).toContain("the same lines have changed since: src/F001.js");
    expect(taken.code, taken.stdout).toBe(0);
    expect(of.read("src/F001.js")).toContain('"F001"');
  });

  test("can be accepted from another terminal while the run works on something else", {
    timeout: 180_000,
  }, async () => {
    const slowly = [{ do: "sleep", ms: 6000 }, ...right("F002")];
    project = new Project(sampleFiles([anyTry("F001", untested("F001")), builder("F002", 1, slowly), evaluator], two));
    const of = project;
    const end = ended(of.start(["run"]));
    await until("F001 held", () => of.events().some(({ type }) => type === "held"), 60_000);
    const taken = await of.loop("accept", "F001");
    expect([taken.code, taken.stdout]).toEqual([0, expect.stringContaining("Accepted: F001")]);
    const { code, stdout } = await end;
    expect(code, stdout).toBe(0);
    expect(of.git("log", "--format=%s", "main")).toMatch(/F001[\s\S]*F002/);
  });

  test.each([["accept"], ["allow"], ["reject"]])(
    "%s is refused when no work waits",
    { timeout: 60_000 },
    async (word) => {
      project = new Project(sampleFiles([builder("F001", 1, right("F001")), evaluator], [feature("F001")]));
      expect((await project.loop("run")).code).toBe(0);
      const known = await project.loop(word, "F001");
      expect([known.code, known.stderr]).toEqual([1, expect.stringContaining("No work on F001 waits")]);
      const unknown = await project.loop(word, "F/../9");
      expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("is not a feature of this run")]);
    },
  );
});

describe("a builder that needs to change a protected test", () => {
  const asks = [
    {
      do: "reply",
      reply: { status: "needs-permission", tests: ["test/old.test.js"], reason: "It asserts the old answer." },
    },
  ];
  const changes = [
    ...right("F001").slice(0, -1),
    write("src/old.js", "export const old = () => 2;\n"),
    write(
      "test/old.test.js",
      'import assert from "node:assert/strict";\nimport { old } from "../src/old.js";\nassert.equal(old(), 2);\n',
    ),
    done,
  ];

  test("asks, and with a person's permission changes exactly that test", { timeout: 180_000 }, async () => {
    project = new Project(
      sampleFiles([later("F001", changes), anyTry("F001", asks), evaluator], [feature("F001")], {
        "loop.yaml": `${sampleFiles([], [])["loop.yaml"]}full_auto_answers: true\n`,
      }),
    );
    const of = project;
    const asked = await of.loop("run");
    expect(asked.code, asked.stderr).toBe(7);
    expect((await of.loop("inbox")).stdout).toMatch(/permission[\s\S]*test\/old\.test\.js[\s\S]*loop allow F001/);
    of.write({ "ignored.txt": "" });
    const allowed = await of.loop("allow", "F001");
    expect(of.prompts("builder").at(-1)).toContain("These you may change: test/old.test.js");
    expect(of.prompts("builder").at(-1)).toContain("allowed these tests to change: test/old.test.js");
    // The first proof grades a rewritten test as weak even where it may change, so the work may wait once more.
    expect([0, 7]).toContain(allowed.code);
    expect(of.events().some(({ type, failures }) => type === "proved" && (failures as object[]).length > 0)).toBe(
      false,
    );
  });
});
