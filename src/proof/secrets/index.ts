// Secrets in the lines that a change adds.
export { findSecrets } from "./find.ts";
