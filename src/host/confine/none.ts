// No walls: the process runs with the rights of its user.
import type { Confine, Door } from "./confine.ts";

export const openDoor: Door = (start) => ({ ...start, feeds: [], isWrapper: false });

export const noWalls: Confine = { name: "none", confine: openDoor };
