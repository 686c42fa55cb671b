// The script that turns a mount namespace into a room and runs one command in it.
import { posix } from "node:path";
import type { CheckNetwork } from "../../../core/contract.ts";
import type { Door } from "../../../host/confine/confine.ts";
import { isWithin } from "../../../host/within.ts";
import { type MountPoint, mountOf } from "./mount-table.ts";

/** `root`: we are the administrator. `user`: any other user, by means of a user namespace. */
export type Mode = "root" | "user";

export type MountPlan = {
  readonly mode: Mode;
  readonly person: { readonly uid: number; readonly gid: number };
  /** Where the person's workspace is, and the room will be. */
  readonly root: string;
  readonly vaultDir: string;
  /** The folder of all rooms; the names below are relative to it. */
  readonly rooms: string;
  readonly room: string;
  /** Topmost first. */
  readonly lower: readonly string[];
  /** A fresh name for each command: a layer that was mounted without syncing refuses a second use of the same one. */
  readonly work: string;
  /** Folders of this machine to cover with a fresh one, the room's own for temporary files first. */
  readonly covers: readonly Cover[];
  /** Folders below the covers that stay visible. */
  readonly shown: readonly string[];
  /** Folders of tools that write into their own folder: the room allows it and discards the result. */
  readonly tools: readonly Tool[];
  readonly table: readonly MountPoint[];
  readonly programs: Programs;
  readonly network: CheckNetwork;
};
export type Cover = { readonly path: string; readonly stage: string };
/** `lower` is a link to the folder: a path may hold characters that mean something in a mount option. */
export type Tool = { readonly path: string; readonly lower: string; readonly upper: string; readonly work: string };
export type Programs = {
  readonly path: string;
  readonly unshare: string;
  readonly setpriv: string | null;
  /** Takes the kernel's keys from a command, by a filter; null: this machine has no program for it. */
  readonly bubblewrap: string | null;
  /** The command line that starts a loopback interface; null: this machine has no program for it. */
  readonly loopback: string | null;
};

/** The capabilities of a room's user who is the administrator: those in a container, without devices. */
const capabilities =
  "-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot,+audit_write,+setfcap";

/** Where the script reports that the command was started, and how many processes it left. */
export const reportFile = "report";
export const entered = "entered";
export const tableFile = "fstab";
export const shownFile = "shown";
export const filterFile = "filter";

const namespaces = ["--mount", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc", "--propagation", "private"];

/** Starts a command in the room. `from` is where the script begins: the room is not there yet. */
export const throughMounts =
  (plan: MountPlan, from: string): Door =>
  ({ file, args, env }) => {
    const user = plan.mode === "user" ? ["--user", "--map-root-user"] : [];
    const own = plan.network === "none" ? ["--net"] : [];
    const script = ["/bin/sh", "-c", scriptFor(plan), "room"];
    return {
      ...{ file: plan.programs.unshare, cwd: from, env, feeds: [], isWrapper: false },
      args: [...user, ...own, ...namespaces, ...script, file, ...args],
    };
  };

export function scriptFor(plan: MountPlan): string {
  return [
    "set -eu",
    "P=$PATH",
    `PATH=${quoted(plan.programs.path)}`,
    ...(plan.network === "none" ? [plan.programs.loopback ?? "false"] : []),
    ...readOnlyMachine(plan),
    `cd ${quoted(plan.rooms)}`,
    `exec 8>${plan.room}/${reportFile}`,
    ...(plan.programs.bubblewrap === null ? [] : [`exec 7<${plan.room}/${filterFile}`]),
    // Before the room itself, which may lie within one of these.
    ...(plan.shown.length === 0 ? [] : [`mount -n -a -T ${plan.room}/${shownFile}`]),
    ...plan.tools.map((tool) => overlay(plan, [tool.lower], tool.upper, tool.work, staged(plan, tool.path))),
    overlay(plan, plan.lower, `${plan.room}/upper`, plan.work, staged(plan, plan.root)),
    `mount -n -a -T ${plan.room}/${tableFile}`,
    ...(plan.mode === "root" ? fewerDevices(plan) : []),
    ...plan.covers.filter(({ path }) => !isDevice(plan, path)).map(cover),
    ...hidden(plan),
    ...ownQueues(plan),
    ...runAndCount(plan),
  ].join("\n");
}

// Everything is read-only except later mounts. The rooms' own folder stays writable until it is hidden.
function readOnlyMachine({ table, rooms, root, vaultDir }: MountPlan): string[] {
  const vital = new Set([root, vaultDir, rooms].map((path) => mountOf(table, path)?.path));
  const wanted = table.filter(
    ({ path, type, readOnly }) => !readOnly && type !== "autofs" && !isKernels(path) && !isApart(path, vital),
  );
  return [
    `mount -n --bind ${quoted(rooms)} ${quoted(rooms)}`,
    ...wanted.map(({ path, flags }) => {
      const options = ["remount", "bind", "ro", ...flags].join(",");
      // A mount that cannot be changed belongs to another user, so the room's user cannot write to it either.
      const quiet = vital.has(path) ? "" : " 2>/dev/null || :";
      return `mount -n -o ${options} ${quoted(path)}${quiet}`;
    }),
  ];
}

const isKernels = (path: string): boolean => isWithin(path, "/proc") || isWithin(path, "/sys");

// A read-only /dev does not protect devices; only a memory disk below it holds files.
const isApart = (path: string, vital: ReadonlySet<string | undefined>): boolean =>
  isWithin(path, "/dev") && path !== "/dev/shm" && !vital.has(path);

function overlay(plan: MountPlan, lower: readonly string[], upper: string, work: string, to: string): string {
  const how = plan.mode === "root" ? "redirect_dir=on" : "userxattr";
  const options = `lowerdir=${lower.join(":")},upperdir=${upper},workdir=${work},index=off,volatile,${how}`;
  return `mount -n -t overlay -o ${options} overlay ${quoted(to)}`;
}

/** Where to mount a path now, so that it is in its place once the covers are laid. */
function staged({ covers }: Pick<MountPlan, "covers">, path: string): string {
  const over = covers.find((one) => isWithin(path, one.path));
  return over === undefined ? path : posix.join(over.stage, path.slice(over.path.length));
}

const isDevice = ({ mode }: Pick<MountPlan, "mode">, path: string): boolean =>
  mode === "root" && isWithin(path, "/dev");

/**
 * A table that mounts everything with one program: starting one for each would take longer than most checks. Folders of
 * the room are separate mounts, so that a command can neither replace the report folder nor write one of our programs.
 */
export function ownTable(
  { mode, rooms, room, covers }: Pick<MountPlan, "mode" | "rooms" | "room" | "covers">,
  has: (path: string) => boolean,
): string {
  const at = (path: string): string => `${rooms}/${path}`;
  const stage = at(covers[0]?.stage ?? "");
  const rows: Row[] = [
    [at(`${room}/out`), `${stage}/out`, "bind"],
    [at(`${room}/bin`), `${stage}/bin`, "bind,ro"],
  ];
  if (mode === "root") {
    for (const name of deviceNames) rows.push([`/dev/${name}`, at(`${room}/dev/${name}`), "bind"]);
    for (const { path, stage } of covers)
      if (path === "/dev/shm") rows.push([at(stage), at(`${room}/dev/shm`), "rbind"]);
    for (const path of ["/proc/sys", "/proc/sysrq-trigger"]) rows.push([path, path, "bind,ro"]);
  }
  return rows
    .filter(([from]) => has(from))
    .map(([from, to, options]) => `${escaped(from)} ${escaped(to)} none ${options} 0 0\n`)
    .join("");
}

export const shownTable = ({ rooms, shown, covers }: Pick<MountPlan, "rooms" | "shown" | "covers">): string =>
  shown.map((path) => `${escaped(path)} ${escaped(`${rooms}/${staged({ covers }, path)}`)} none rbind 0 0\n`).join("");

type Row = readonly [from: string, to: string, options: string];
const escaped = (text: string): string =>
  text.replaceAll(/[ \t\n\\]/g, (found) => `\\${found.charCodeAt(0).toString(8).padStart(3, "0")}`);

/** The only devices of a room whose user is the administrator: no disk is among them. */
export const deviceNames = ["null", "zero", "full", "random", "urandom", "tty", "fuse", "kvm"];

// The administrator could write to a disk through its device, whatever the mounts say, or ask the init system to.
function fewerDevices({ room }: MountPlan): string[] {
  return [
    "for s in /run/systemd/private /run/dbus/system_bus_socket; do [ ! -S $s ] || mount -n --bind /dev/null $s; done",
    `mount -n -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts ${room}/dev/pts`,
    `mount -n -c --rbind ${room}/dev /dev`,
    // Bound without the mounts below it, which are then out of reach.
    "mount -n --bind /sys /sys && mount -n -o remount,bind,ro /sys",
  ];
}

// By a relative path: a cover may hide the absolute path to here.
const cover = ({ path, stage }: Cover): string => `mount -n -c --rbind ${stage} ${quoted(path)}`;

function hidden({ vaultDir, covers, shown }: MountPlan): string[] {
  const over = (path: string): string => `mount -n -t tmpfs -o ro,mode=755,size=4k tmpfs ${quoted(path)}`;
  const isShown = shown.some((path) => isWithin(vaultDir, path));
  const isCovered = !isShown && covers.some(({ path }) => isWithin(vaultDir, path));
  // A user's service manager would run a command outside of the room.
  return [...(isCovered ? [] : [over(vaultDir)]), `[ ! -d /run/user ] || ${over("/run/user")}`];
}

/** A mount of the machine's message queues shows them in any namespace. */
const ownQueues = ({ table, mode }: MountPlan): string[] =>
  table
    .filter(({ path, type }) => type === "mqueue" && !isDevice({ mode }, path))
    .map(({ path }) => `[ ! -d ${quoted(path)} ] || mount -n -t mqueue mqueue ${quoted(path)}`);

/** The first process of the namespace: when it ends, all others end. It waits a little so that they can end cleanly. */
function runAndCount({ mode, person, programs, root }: MountPlan): string[] {
  const drop =
    mode === "root"
      ? `${quoted(programs.setpriv ?? "setpriv")} --bounding-set ${capabilities} --inh-caps -all --ambient-caps -all`
      : `${quoted(programs.unshare)} --user --map-user=${person.uid} --map-group=${person.gid}`;
  // With no new mounts of its own but the same ones: it is here for its filter.
  const filtered =
    programs.bubblewrap === null ? "" : `${quoted(programs.bubblewrap)} --dev-bind / / --cap-add ALL --seccomp 7 -- `;
  return [
    "cd /",
    // A failure before this line is a problem of the machine; after it, the command's.
    `echo ${entered} >&8`,
    "set +e",
    // The shell would report that a command was killed, which is not the command's output.
    "exec 9>&2 2>/dev/null",
    `(cd ${quoted(root)} && PATH=$P && exec ${filtered}${drop} "$@") 2>&9 8>&- 9>&-`,
    "status=$?",
    "set -- /proc/[0-9]*",
    "[ $# -le 1 ] || { sleep 0.2; set -- /proc/[0-9]*; }",
    "if [ $# -gt 1 ]; then",
    "  echo $(($# - 1)) >&8",
    "  kill -s TERM -- -1",
    "  i=0",
    "  while [ $# -gt 1 ] && [ $i -lt 20 ]; do sleep 0.05; i=$((i + 1)); set -- /proc/[0-9]*; done",
    "fi",
    "exit $status",
  ];
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
