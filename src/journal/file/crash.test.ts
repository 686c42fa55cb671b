// Writers killed at any moment, and disks that fail: no acknowledged event is lost.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { compileForTests } from "../../../tests/support/compile.ts";
import { openFileJournal } from "./open.ts";
import { verifyFileJournal } from "./verify.ts";

let compiled = "";
let dir = "";
const places = () => ({ vaultDir: join(dir, "vault"), mirrorDir: join(dir, "work"), run: "r1" });
const open = () =>
  openFileJournal<{ n: number }, number>({ ...places(), parse: (json) => json as { n: number }, stateVersion: 1 });

beforeAll(() => {
  compiled = compileForTests("journal/file/open.ts");
});
afterAll(() => fs.rmSync(dirname(compiled), { recursive: true, force: true }));
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), "loop-crash-"));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

/** A writer that appends numbers from the end of the journal, and prints each one once it is acknowledged. */
function writer(count: number): string[] {
  const script = `
    import { writeSync } from "node:fs";
    import { openFileJournal } from ${JSON.stringify(`${compiled}/journal/file/open.js`)};
    const journal = openFileJournal({ ...${JSON.stringify(places())}, parse: (json) => json, stateVersion: 1 });
    let n = journal.past.seq;
    try {
      for (let done = 0; done < ${count}; done++) {
        n = await journal.append({ n: n + 1, filler: "x".repeat(200) });
        writeSync(1, n + "\\n");
        if (n % 3 === 0) await journal.snapshot(n);
      }
      writeSync(1, "notices " + journal.notices.map((notice) => notice.kind).join() + "\\n");
      writeSync(1, "reserve " + (journal.reserveSpent ? "spent" : "kept") + "\\n");
    } catch (error) {
      writeSync(1, "error " + error.code + "\\n");
      await journal.append({ n: n + 1 }).catch((again) => writeSync(1, "again " + again.code + "\\n"));
    }`;
  const path = join(dir, "writer.mjs");
  fs.writeFileSync(path, script);
  return [process.execPath, path];
}

const acknowledged = (said: string): number => Math.max(0, ...(said.match(/^\d+$/gm) ?? []).map(Number));

/** Opens a dead writer's journal: numbers in order, none missing, all acknowledged ones and at most one more. */
async function expectNothingLost(said: string, before: number): Promise<number> {
  const journal = open();
  const { snapshot, events, seq } = journal.past;
  expect(events.map((event) => event.n)).toEqual(events.map((_, at) => (snapshot ?? 0) + at + 1));
  expect((snapshot ?? 0) + events.length).toBe(seq);
  expect(seq).toBeGreaterThanOrEqual(Math.max(before, acknowledged(said)));
  expect(seq).toBeLessThanOrEqual(Math.max(before, acknowledged(said)) + 1);
  await journal.close();
  expect(verifyFileJournal(places())).toMatchObject({ same: true, vault: { is: "whole", lines: seq } });
  return seq;
}

test("thirty writers killed at random lose nothing that they acknowledged", async () => {
  let seq = 0;
  for (let round = 0; round < 30; round++) {
    const [command = "", ...args] = writer(1_000_000);
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    await once(child.stdout, "data");
    setTimeout(() => child.kill("SIGKILL"), Math.random() * 25);
    await once(child, "close");
    // The last number may itself have been cut in half, in the pipe.
    seq = await expectNothingLost(said.slice(0, said.lastIndexOf("\n") + 1), seq);
  }
  expect(seq).toBeGreaterThan(30);
});

const strace = "/usr/bin/strace";
const noStrace =
  fs.existsSync(strace) && spawnSync(strace, ["-o", "/dev/null", "true"]).status === 0
    ? null
    : "strace does not work here";

/** Runs a writer whose system calls fail, or kill it, as specified. `path` limits that to the calls on one file. */
function underFaults(count: number, inject: string, path?: string): { said: string; killed: boolean } {
  const only = path === undefined ? [] : ["-P", path];
  const calls = inject.slice(0, inject.indexOf(":"));
  const args = ["-f", "-o", "/dev/null", ...only, "-e", `trace=${calls}`, "-e", `inject=${inject}`, ...writer(count)];
  const { stdout, signal } = spawnSync(strace, args, { encoding: "utf8" });
  return { said: stdout, killed: signal === "SIGKILL" };
}

describe("with faults injected by the kernel", () => {
  const vault = () => join(dir, "vault/events.jsonl");
  const twin = () => join(dir, "work/events.jsonl");
  const prepared = async () => {
    const journal = open();
    await journal.append({ n: 1 });
    await journal.close();
  };
  const faulty = (title: string, body: () => Promise<void>) =>
    test(title, async ({ skip }) => (noStrace === null ? body() : skip(noStrace)));

  // The kernel counts each call separately, so each has its own sweep, which ends with the first writer that survives.
  for (const call of ["pwrite64", "fdatasync", "fsync", "rename"]) {
    faulty(`a writer killed at every ${call} in turn loses nothing that it acknowledged`, async () => {
      let kills = 0;
      for (let lived = false; !lived; ) {
        fs.rmSync(join(dir, "vault"), { recursive: true, force: true });
        fs.rmSync(join(dir, "work"), { recursive: true, force: true });
        const { said, killed } = underFaults(4, `${call}:signal=SIGKILL:when=${kills + 1}`);
        await expectNothingLost(said, 0);
        lived = !killed;
        if (killed) kills += 1;
      }
      // Fewer would mean that the sweep missed calls: four lines in two copies, each synced in the vault and once in
      // the twin, or the files created at opening.
      expect(kills).toBeGreaterThanOrEqual(call === "pwrite64" ? 8 : call === "fdatasync" ? 5 : 2);
    });
  }

  faulty("a disk that is full once is written to from the reserve", async () => {
    await prepared();
    const { said } = underFaults(3, "pwrite64:error=ENOSPC:when=2", vault());
    expect(said).toBe("2\n3\n4\nnotices \nreserve spent\n");
    expect(await expectNothingLost(said, 1)).toBe(4);
    expect(fs.existsSync(join(dir, "vault/reserve"))).toBe(true); // Set again at opening.
  });

  faulty("a disk that stays full ends the run, with the journal whole and no second try", async () => {
    await prepared();
    const { said } = underFaults(3, "pwrite64:error=ENOSPC:when=2+", vault());
    expect(said).toBe("2\nerror journal-not-written\nagain journal-not-written\n");
    expect(await expectNothingLost(said, 1)).toBe(2);
  });

  faulty("a sync that fails is never tried again, and its event is not acknowledged", async () => {
    await prepared();
    const { said } = underFaults(3, "fdatasync:error=EIO:when=2", vault());
    expect(said).toBe("2\nerror journal-not-written\nagain journal-not-written\n");
    expect(await expectNothingLost(said, 1)).toBe(2);
  });

  faulty("a twin that cannot be written is a notice, and the run goes on", async () => {
    await prepared();
    const { said } = underFaults(3, "pwrite64:error=EIO:when=1", twin());
    expect(said).toBe("2\n3\n4\nnotices copy-not-written,copy-restored\nreserve kept\n");
    expect(await expectNothingLost(said, 1)).toBe(4);
  });

  faulty("a twin that cannot be synced costs nothing but its notice", async () => {
    await prepared();
    const { said } = underFaults(3, "fdatasync:error=EIO:when=1+", twin());
    expect(said).toBe("2\n3\n4\nnotices copy-not-written,copy-restored\nreserve kept\n");
    expect(await expectNothingLost(said, 1)).toBe(4);
  });

  faulty("a vault that cannot be opened for writing is refused before anything is done", async () => {
    await prepared();
    const inject = "openat:error=EROFS:when=2+";
    const args = ["-f", "-o", "/dev/null", "-P", vault(), "-e", "trace=openat", "-e", `inject=${inject}`, ...writer(1)];
    const { stderr, stdout } = spawnSync(strace, args, { encoding: "utf8" });
    expect(stdout).toBe("");
    expect(stderr).toContain("journal-not-written");
  });
});
