// The record of firings survives a disk that took only a part of a line.
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { FiringLog } from "./firing-log.ts";

const dir = fs.mkdtempSync(join(tmpdir(), "loop-firings-"));
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

test("a line that was written in part is gone before the next one is written", () => {
  const path = join(dir, "firings.jsonl");
  const marked = (mark: string) => ({ type: "marked", at: 1, root: "/a", trigger: "one", mark }) as const;
  const log = new FiringLog(path, 1);
  log.append(marked("first"));
  fs.appendFileSync(path, '{"type":"marked","at":1,"ro');
  log.append(marked("second"));
  log.close();
  expect(fs.readFileSync(path, "utf8").split("\n")).toHaveLength(3);
  expect([...new FiringLog(path, 1).state.marks.values()]).toEqual(["second"]);
});
