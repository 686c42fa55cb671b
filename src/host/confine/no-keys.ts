// A system call filter that leaves everything to a command but the keys that the kernel holds for the user, which no namespace
// hides: the call to add, ask for and read them seem not to exist.
import {
  allowed,
  answer,
  assembled,
  callAt,
  equal,
  type Lines,
  load,
  machineAt,
  notImplemented,
  notPermitted,
} from "./filter.ts";

/** add_key, request_key and keyctl */
export const keyCalls: Readonly<Record<"x64" | "arm64", readonly number[]>> = {
  x64: [248, 249, 250],
  arm64: [217, 218, 219],
};
/** The same calls under the numbers of x32. */
const x32 = 0x40000000;

type Numbers = { readonly machine: number; readonly calls: readonly number[] };

/** What a kernel runs besides its own: programs of 32 bits. */
const machines: Readonly<Record<string, readonly Numbers[]>> = {
  x64: [
    { machine: 0xc000003e, calls: [...keyCalls.x64, ...keyCalls.x64.map((call) => call + x32)] },
    { machine: 0x40000003, calls: [286, 287, 288] },
  ],
  arm64: [
    { machine: 0xc00000b7, calls: keyCalls.arm64 },
    { machine: 0x40000028, calls: [309, 310, 311] },
  ],
};

/** The filter as bubblewrap takes it; null on a machine whose calls are not listed here. */
export function noKeysFilter(architecture: string = process.arch): Buffer | null {
  const known = machines[architecture];
  if (known === undefined) return null;
  return assembled([[load, 0, 0, machineAt], ...known.flatMap(onOne), [answer, 0, 0, notPermitted]]);
}

function onOne({ machine, calls }: Numbers): Lines {
  const look: Lines = [
    [load, 0, 0, callAt],
    ...calls.flatMap(
      (call): Lines => [
        [equal, 0, 1, call],
        [answer, 0, 0, notImplemented],
      ],
    ),
    [answer, 0, 0, allowed],
  ];
  return [[equal, 0, look.length, machine], ...look];
}
