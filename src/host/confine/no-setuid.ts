// A system call filter that refuses files with the setuid or setgid bit. Walls alone do not: a process that the
// administrator started owns what it writes, and could leave such a file in the workspace. Keys that the kernel holds for
// the user are out of reach too: no namespace hides them. Nor does one hide sockets to the machine's own host (vsock): only
// ordinary families of sockets can be opened. Leases are refused because they reach through read-only mounts: who opens such
// a file elsewhere waits for 45 seconds, each time.
import {
  allowed,
  answer,
  argumentAt,
  assembled,
  callAt,
  equal,
  familyNotSupported,
  greater,
  hasBits,
  type Lines,
  load,
  machineAt,
  notImplemented,
  notPermitted,
} from "./filter.ts";
import { keyCalls } from "./no-keys.ts";

/** Which argument is a mode; with `flags`, only if those ask to create a file. */
type Call = { readonly number: number; readonly mode: number; readonly flags?: number };
type Machine = {
  readonly arch: number;
  readonly calls: readonly Call[];
  /** Opens a socket of a family, its first argument. */
  readonly socket: number;
  /** Its second argument says what is done to an open file. */
  readonly fcntl: number;
  /** Calls that seem not to exist. Where a mode is in memory, a filter cannot look: programs fall back to others. */
  readonly missing: readonly number[];
  readonly numberMax: number;
};

const machines: Readonly<Record<string, Machine>> = {
  x64: {
    arch: 0xc000003e,
    calls: [
      { number: 90, mode: 1 }, // chmod
      { number: 91, mode: 1 }, // fchmod
      { number: 268, mode: 2 }, // fchmodat
      { number: 452, mode: 2 }, // fchmodat2
      { number: 85, mode: 1 }, // creat
      { number: 133, mode: 1 }, // mknod
      { number: 259, mode: 2 }, // mknodat
      { number: 2, mode: 2, flags: 1 }, // open
      { number: 257, mode: 3, flags: 2 }, // openat
    ],
    socket: 41,
    fcntl: 72,
    missing: [437, 425, 426, 427, ...keyCalls.x64], // openat2, io_uring_*
    numberMax: 0x3fffffff, // Above: the same calls under the numbers of x32.
  },
  arm64: {
    arch: 0xc00000b7,
    calls: [
      { number: 52, mode: 1 },
      { number: 53, mode: 2 },
      { number: 452, mode: 2 },
      { number: 33, mode: 2 },
      { number: 56, mode: 3, flags: 2 },
    ],
    socket: 198,
    fcntl: 25,
    missing: [437, 425, 426, 427, ...keyCalls.arm64],
    numberMax: 0xffffffff,
  },
};

const setIds = 0o6000;
/** Files of the system (AF_UNIX), IPv4, IPv6, and netlink, by which programs list network interfaces. */
const families = [1, 2, 10, 16];
/** F_SETLEASE */
const setLease = 1024;
/** O_CREAT and the bit that O_TMPFILE alone has. */
const creating = 0o100 | 0o20000000;
/** The filter as bubblewrap takes it; null on a machine whose calls are not listed here. */
export function noSetuidFilter(architecture: string = process.arch): Buffer | null {
  const machine = machines[architecture];
  if (machine === undefined) return null;
  return assembled([
    [load, 0, 0, machineAt],
    [equal, 1, 0, machine.arch],
    [answer, 0, 0, notPermitted],
    [load, 0, 0, callAt],
    [greater, 0, 1, machine.numberMax],
    [answer, 0, 0, notPermitted],
    ...machine.missing.flatMap(
      (number): Lines => [
        [equal, 0, 1, number],
        [answer, 0, 0, notImplemented],
      ],
    ),
    ...ordinarySockets(machine.socket),
    ...noLeases(machine.fcntl),
    ...machine.calls.flatMap(refusal),
    [answer, 0, 0, allowed],
  ]);
}

function ordinarySockets(number: number): Lines {
  const look: Lines = [
    [load, 0, 0, argumentAt(0)],
    ...families.map((family, at): Lines[number] => [equal, families.length - at, 0, family]),
    [answer, 0, 0, familyNotSupported],
    [answer, 0, 0, allowed],
  ];
  return [[equal, 0, look.length, number], ...look];
}

function noLeases(number: number): Lines {
  const look: Lines = [
    [load, 0, 0, argumentAt(1)],
    [equal, 0, 1, setLease],
    [answer, 0, 0, notPermitted],
    [answer, 0, 0, allowed],
  ];
  return [[equal, 0, look.length, number], ...look];
}

function refusal({ number, mode, flags }: Call): Lines {
  const look: Lines = [
    ...(flags === undefined
      ? []
      : [
          [load, 0, 0, argumentAt(flags)] as const,
          [hasBits, 1, 0, creating] as const,
          [answer, 0, 0, allowed] as const,
        ]),
    [load, 0, 0, argumentAt(mode)],
    [hasBits, 0, 1, setIds],
    [answer, 0, 0, notPermitted],
    [answer, 0, 0, allowed],
  ];
  return [[equal, 0, look.length, number], ...look];
}
