// What the tests use of the sections.
import type { Section } from "./page.mjs";
export const sections: readonly Section[];
