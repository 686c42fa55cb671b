import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { drained } from "./sse.ts";

test("a viewer that is slow again and again leaves no listeners behind", async () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const before = ["drain", "close"].map((name) => response.listenerCount(name));
  for (let times = 0; times < 20; times++) {
    const done = drained(response);
    response.emit("drain");
    await done;
  }
  expect(["drain", "close"].map((name) => response.listenerCount(name))).toEqual(before);
});
