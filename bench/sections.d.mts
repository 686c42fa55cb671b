// The types of the sections that the tests use.
import type { Section } from "./page.mjs";
export const sections: readonly Section[];
