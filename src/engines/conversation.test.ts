// Which conversation is resumed: one with an id and room, from a session with a result.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { writeResult } from "../agents/session/session-folder.ts";
import type { SessionResult } from "../agents/session/session-result.ts";
import { featureId, sessionId } from "../core/ids.ts";
import { noUsage } from "../core/session.ts";
import { conversationOf, folderOf, roleIn, sessionFolder } from "./conversation.ts";

const root = mkdtempSync(join(tmpdir(), "loop-conversation-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const files = { path: (path: string) => join(root, path), read: () => null, write: () => undefined };

const result: SessionResult = {
  ...{
    how: "replied",
    reply: {},
    text: "",
    usage: noUsage,
    nativeId: "n-1",
    ms: 1,
    parts: 1,
    strays: 0,
    editsMax: null,
  },
  ...{ contextUsed: 70_000, contextSize: 100_000, outputBytes: 0, refused: [] },
};
let count = 0;
function ended(change: Partial<SessionResult>) {
  count += 1;
  const session = sessionId(`s${count}`);
  writeResult(files.path(sessionFolder(`F001-a1-builder-${session}`)), "claude", {
    ...result,
    ...change,
  } as SessionResult);
  return session;
}

test.each([
  { what: "has room", change: {}, is: "n-1" },
  { what: "is as full as it may be", change: { contextUsed: 75_000 }, is: null },
  { what: "has no name", change: { nativeId: null }, is: null },
  { what: "does not say how full it is", change: { contextUsed: null, contextSize: null }, is: null },
  { what: "says nonsense about its size", change: { contextSize: 0 }, is: null },
])("a session that $what: $is", ({ change, is }) => {
  expect(conversationOf(ended(change), files, 75)).toBe(is);
});

test("a session that is missing or has a damaged result is not resumed, and causes no error", () => {
  expect(conversationOf(sessionId("never"), files, 75)).toBe(null);
  mkdirSync(files.path(sessionFolder("F001-a1-builder-torn")), { recursive: true });
  writeFileSync(join(files.path(sessionFolder("F001-a1-builder-torn")), "result.json"), "{");
  expect(conversationOf(sessionId("torn"), files, 75)).toBe(null);
  expect(conversationOf(sessionId("s"), { ...files, path: () => "/nowhere" }, 75)).toBe(null);
});

test.each([
  { id: "F001", role: "examiner" },
  { id: "x-examiner-y", role: "builder" },
  { id: "x-a1-examiner-y", role: "test-verifier" },
  { id: "x-a1-builder-y", role: "examiner" },
] as const)("the session of $role for $id is known by its folder", ({ id, role }) => {
  const session = sessionId("0b0c8c8e-a123-4abc-a111-0123456789ab");
  const folder = folderOf({ feature: featureId(id), attempt: 2, role, session });
  expect(roleIn(basename(folder))).toBe(role);
});
