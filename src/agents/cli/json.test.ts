import { expect, test } from "vitest";
import { findReply } from "../reply/reply.ts";
import { objectIn, parsed } from "./json.ts";

const deep = (depth: number): string => `{"status":"done","more":${"[".repeat(depth)}${"]".repeat(depth)}}`;

test("what is nested too deep to be written again is neither a reply nor an event", () => {
  expect(parsed(deep(3_000_000))).toBeUndefined();
  expect(objectIn(deep(100_000))).toBeNull();
  expect(findReply(deep(3_000_000), "")).toBeNull();
});

test("a reply of ordinary depth and any length is read", () => {
  expect(findReply(deep(100), "")?.reply).toMatchObject({ status: "done" });
  const long = JSON.stringify({ status: "done", files: Array.from({ length: 5000 }, () => ({ a: [{}] })) });
  expect(findReply(long, "")?.reply).toMatchObject({ status: "done" });
});
