// Finds out whether this machine allows rooms with mounts, by building one.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { noKeysFilter } from "../../../host/confine/no-keys.ts";
import { output } from "../../../host/confine/trial.ts";
import { findSystemProgram, ownPath } from "../../../host/own-programs.ts";
import { newFolder, type Places, removeAll } from "../places.ts";
import { type Namespaces, prepareMounts } from "./mounts-builder.ts";
import type { Mode, Programs } from "./script.ts";

/** `namespaces` is null where it does not; `why` says why not. */
export async function probeMounts(
  root: string,
  vaultDir: string,
  places: Places,
  person: Pick<Namespaces, "tools" | "home" | "env" | "toolPlaces">,
): Promise<{ readonly namespaces: Namespaces | null; readonly why: string }> {
  if (process.platform !== "linux") return { namespaces: null, why: "mount namespaces are a thing of Linux" };
  const programs = findPrograms();
  if (programs === null) return { namespaces: null, why: "unshare and mount were not found" };
  const modes: Mode[] = process.getuid?.() === 0 && programs.setpriv !== null ? ["root", "user"] : ["user"];
  // A machine where bubblewrap does not start in a room still has rooms.
  const ways = programs.bubblewrap === null ? [programs] : [programs, { ...programs, bubblewrap: null }];
  let why = "";
  for (const mode of modes)
    for (const way of ways) {
      const namespaces: Namespaces = { mode, programs: way, vaultDir, ...person };
      why = await tryOne(root, places, namespaces);
      if (why === "") return { namespaces, why };
    }
  return { namespaces: null, why };
}

// The trial room is written to, and tries to write where it must not; the loop then looks for traces from outside.
const trial = `echo room > ./probe; : > /tmp/out/ok; (: > "$PROBE_VAULT/$PROBE"; : > "$PROBE_ABOVE/$PROBE") 2>/dev/null; :`;

async function tryOne(root: string, places: Places, where: Namespaces): Promise<string> {
  const dir = newFolder(places);
  try {
    const room = dir.slice(places.dir.length + 1);
    fs.mkdirSync(join(dir, "lower"));
    const { enter } = prepareMounts({
      dir,
      room,
      root,
      places,
      where,
      lower: [`${room}/lower`, `${room}/delta`],
      outside: [],
    });
    const name = `.loop-probe-${room.slice("open/".length)}`;
    const outside = [where.vaultDir, dirname(root)].map((above) => join(above, name));
    const env = { PATH: where.programs.path, PROBE: name, PROBE_VAULT: where.vaultDir, PROBE_ABOVE: dirname(root) };
    const { file, args } = enter("open").door({ file: "/bin/sh", args: ["-c", trial], cwd: root, env });
    const said = await output(file, args, env);
    const ran = [join(dir, "out", "ok"), join(dir, "upper", "probe")].every((path) => fs.existsSync(path));
    const escaped = outside.filter((path) => fs.existsSync(path));
    for (const path of escaped) fs.rmSync(path, { force: true });
    if (ran && escaped.length === 0) return "";
    return said.trim().split("\n").slice(-2).join(" ") || "a trial room could be left";
  } finally {
    removeAll(dir);
  }
}

function findPrograms(): Programs | null {
  const find = findSystemProgram;
  const [unshare, mount, sleep] = [find("unshare"), find("mount"), find("sleep")];
  if (unshare === null || mount === null || sleep === null) return null;
  const path = [...new Set([mount, sleep].map((program) => dirname(program)))];
  return {
    path: [...new Set([...path, ownPath({})])].join(":"),
    unshare,
    setpriv: find("setpriv"),
    bubblewrap: noKeysFilter() === null ? null : find("bwrap"),
    loopback: loopback(find),
  };
}

function loopback(find: (name: string) => string | null): string | null {
  const [ip, ifconfig] = [find("ip"), find("ifconfig")];
  if (ip !== null) return `'${ip}' link set lo up`;
  return ifconfig === null ? null : `'${ifconfig}' lo up`;
}
