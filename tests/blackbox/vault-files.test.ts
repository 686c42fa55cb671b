// What a run leaves in the vault: every file has a schema that reads it, and a damaged one is a sentence.
import * as fs from "node:fs";
import { join, relative } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { KeptFile } from "../../src/formats/kept/kept-file.ts";
import * as others from "../../src/formats/kept/other-files.ts";
import * as proofs from "../../src/formats/kept/proof-files.ts";
import * as runs from "../../src/formats/kept/run-files.ts";
import * as sessions from "../../src/formats/kept/session-files.ts";
import * as vault from "../../src/formats/kept/vault-files.ts";
import { ended, Project, until } from "../support/project.ts";
import { eventful } from "../support/sample.ts";

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const kept = [runs, sessions, proofs, vault, others]
  .flatMap((room) => Object.values(room))
  .filter((each): each is KeptFile<unknown> => typeof each === "object" && "parse" in each);

/** Read by a schema next to the code that uses it: memory, layers of rooms, replies, and texts of the work queue. */
const elsewhere =
  /\/(?:memory|layer|current|features|reply|snapshot)\.json$|\/payloads\/|\/known\/(?:docs\/FEATURES|queue-[0-9a-f]+)\.json$/;
/** Written for people or for the agent, or for its time alone, and never read back. */
const unread = /\/home\/|\/rooms\/|\/artifacts\/|\/pruned\.json$/;

const schemaOf = (path: string): KeptFile<unknown> | undefined =>
  kept.find(({ name }) => new RegExp(`(?:^|/)${name.replaceAll(".", "\\.").replaceAll("*", "[^/]+")}$`).test(path));

function jsonBelow(dir: string): string[] {
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return entry.name.endsWith(".git") ? [] : jsonBelow(path);
    return entry.isFile() && entry.name.endsWith(".json") ? [path] : [];
  });
}

test("each file of a run is read by its schema, and damage to one is told in a sentence", {
  timeout: 240_000,
}, async () => {
  project = new Project(eventful());
  const of = project;
  const child = of.start(["run"]);
  const end = ended(child);
  await until("event 12", () => of.events().length >= 12 || child.exitCode !== null);
  child.kill("SIGKILL");
  await end;
  expect((await of.loop("continue")).code).toBe(0);
  const state = join(of.home, "state", "loopwright");
  const files = jsonBelow(state).filter((path) => !elsewhere.test(path) && !unread.test(relative(state, path)));
  const read = files.map((path) => {
    const text = fs.readFileSync(path, "utf8");
    return { path: relative(state, path), is: schemaOf(path)?.parse(text) ?? "without a schema" };
  });
  expect(read.filter(({ is }) => is === "without a schema" || (typeof is === "object" && !is.ok))).toEqual([]);
  const met = new Set(files.map((path) => schemaOf(path)?.name));
  for (const name of ["plan.json", "result.json", "proved/*.json", "proofs/*.json", "checkpoints/*.json"])
    expect(met).toContain(name);

  const damage = (path: string): (() => void) => {
    const was = fs.readFileSync(path, "utf8");
    fs.writeFileSync(path, was.slice(0, was.length / 2));
    return () => fs.writeFileSync(path, was);
  };
  const [run = ""] = of.runs();
  const undo = damage(join(run, "plan.json"));
  const status = await of.loop("status");
  expect(status.code).toBe(1);
  expect(status.stderr).toMatch(/plan\.json: it is not JSON, or is cut off/);
  expect(status.stderr).not.toMatch(/bug/i);
  const list = await of.loop("list");
  expect(list).toMatchObject({ code: 0, stdout: expect.stringMatching(/cannot be read: .*plan\.json/) });
  undo();
  const [entry = ""] = files.filter((path) => path.includes("/quarantine/"));
  damage(entry);
  const recover = await of.loop("recover");
  expect(recover.code).toBe(0);
  expect(recover.stdout).toMatch(/Its record cannot be read: it is not JSON, or is cut off/);
});
