// Whether a link can lead out of the repository, or into its git folder: what is written through it lands there.

/**
 * By its text alone, as it would be anywhere else. After the name of another link, ".." leads from that one's end, so it is
 * only trusted in front.
 */
export function leadsOut(path: string, to: string): boolean {
  if (to.startsWith("/")) return true;
  const parts = to.split("/").filter((part) => part !== "" && part !== ".");
  const inner = parts.findIndex((part) => part !== "..");
  const ups = inner < 0 ? parts.length : inner;
  const names = parts.slice(ups);
  const depth = path.split("/").length - 1;
  return ups > depth || names.includes("..") || names.some((part) => part.toLowerCase() === ".git");
}
