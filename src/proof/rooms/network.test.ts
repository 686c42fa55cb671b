// A command without the network: its own loopback interface, and nothing else. In a room with mounts, and in a plain
// folder with walls around the command.
import * as fs from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tryWalls } from "../../host/confine/trial.ts";
import { makeHouse, never, openRoom } from "../../testing/rooms-rig.ts";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/workspace-rig.ts";
import type { Room } from "./room.ts";

let service: Server;
let port = 0;
beforeAll(async () => {
  service = createServer((socket) => socket.end("hello"));
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const address = service.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => service.close());
afterAll(removeTemporaryFolders);

const files = {
  "a.txt": "1",
  "ask.mjs": `import { connect } from "node:net";
const socket = connect({ port: Number(process.argv[2]), host: process.argv[3] ?? "127.0.0.1" });
socket.on("error", ({ code }) => { console.log(code); process.exit(1); });
socket.on("data", (text) => console.log(String(text)));
`,
  "serve.mjs": `import * as fs from "node:fs";
import { createServer, connect } from "node:net";
const server = createServer((socket) => socket.end("mine " + process.argv[3]));
server.on("error", ({ code }) => { console.log(code); process.exit(1); });
server.listen(Number(process.argv[2]), "127.0.0.1", () => {
  connect(Number(process.argv[2]), "127.0.0.1").on("data", (text) => {
    console.log(String(text));
    if (process.argv[4] !== "stay") process.exit(0);
  });
});
`,
};
const node = process.execPath;
const trial = await tryWalls(join(temporaryFolder(), "walls.json"));
const walls = async () => (trial.works ? trial.confine : null);
const prepare = (root: string) => fs.writeFileSync(join(root, "mine.log"), "");

const without = (room: Room, command: string, network: "none" | "open" = "none") =>
  room.run({ name: "check", command, timeoutMs: 60_000, outputFile: join(temporaryFolder(), "log"), network }, never());

describe.each([
  { kind: "mounts" as const, what: "in a room with mounts", can: true },
  { kind: "folder" as const, what: "in a plain folder, inside walls", can: trial.works },
])("$what, a command without the network", ({ kind, can }) => {
  const house = () => makeHouse(kind, { files, prepare, rooms: { walls } });
  const test = can ? it : it.skip;

  test("reaches no service of this machine, which it does with an open network", async () => {
    const room = await openRoom(await house());
    expect(await without(room, `${node} ask.mjs ${port}`)).toMatchObject({ how: "failed", tail: "ECONNREFUSED" });
    expect(await without(room, `${node} ask.mjs ${port}`, "open")).toMatchObject({ how: "passed", tail: "hello" });
    await room.close();
  });

  test("finds the programs that the loop puts before the person's", async () => {
    const room = await openRoom(await house(), { shims: () => [{ name: "node", script: "#!/bin/sh\necho ours\n" }] });
    expect(await without(room, "node --version")).toMatchObject({ how: "passed", tail: "ours" });
    await room.close();
  });

  test("has no way out", async () => {
    const room = await openRoom(await house());
    expect((await without(room, `${node} ask.mjs 53 192.0.2.1`)).tail).toBe("ENETUNREACH");
    await room.close();
  });

  test("three commands at once use one port, each its own", async () => {
    const home = await house();
    const rooms = await Promise.all([1, 2, 3].map(() => openRoom(home)));
    const results = await Promise.all(
      rooms.map((room, at) => without(room, `${node} serve.mjs ${port} ${at}; echo $?`)),
    );
    expect(results.map(({ tail }) => tail)).toEqual(["mine 0\n0", "mine 1\n0", "mine 2\n0"]);
    for (const room of rooms) await room.close();
  });

  test("a server that it leaves is ended", async () => {
    const room = await openRoom(await house());
    const left = await without(room, `setsid ${node} serve.mjs ${port} 0 stay > /dev/null 2>&1 &\n${node} -e 1`);
    // Walls end what is left with the command, before it could be counted.
    expect(left).toMatchObject({ how: "passed", leftBehind: kind === "mounts" ? 1 : 0 });
    expect(await without(room, `${node} ask.mjs ${port}`)).toMatchObject({ how: "failed", tail: "ECONNREFUSED" });
    await room.close();
  });

  test("writes to a home that is only the room's", async () => {
    const room = await openRoom(await house());
    expect(await without(room, 'echo x > "$HOME/x" && cat "$HOME/x"')).toMatchObject({ how: "passed", tail: "x" });
    await room.close();
    const next = await openRoom(await house());
    expect(await without(next, 'cat "$HOME/x"')).toMatchObject({ how: "failed" });
    await next.close();
  });

  test("sees neither the person's folder, nor the vault, nor other temporary files", async () => {
    const home = await house();
    const room = await openRoom(home);
    const kept = join(home.vaultDir, "kept.txt");
    fs.writeFileSync(kept, "");
    const tried = [join(home.root, "mine.log"), kept, temporaryFolder()];
    const told = await without(room, `ls a.txt ${tried.map((path) => `'${path}'`).join(" ")} 2>/dev/null; :`);
    expect(told).toMatchObject({ how: "passed", tail: "a.txt" });
    await room.close();
  });
});
