import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { readBody } from "./body.ts";

const sending = (read: () => Generator<Buffer>): IncomingMessage =>
  Object.assign(Readable.from(read()), { headers: {} }) as unknown as IncomingMessage;

test("a sender that goes away in the middle is no error, and leaves no body", async () => {
  const going = sending(function* () {
    yield Buffer.from("half");
    throw Object.assign(new Error("aborted"), { code: "ECONNRESET" });
  });
  expect(await readBody(going, 100)).toBeNull();
});

test("a body up to the size is read, and no more of it", async () => {
  const five = () =>
    sending(function* () {
      for (const text of ["abc", "de"]) yield Buffer.from(text);
    });
  expect((await readBody(five(), 5))?.toString()).toBe("abcde");
  expect(await readBody(five(), 4)).toBeNull();
});
