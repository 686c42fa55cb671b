// The parts of a path. Paths are relative to the top of the tree and have forward slashes; the top itself is "".
import { posix } from "node:path";

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export function folderOf(path: string): string {
  const at = path.lastIndexOf("/");
  return at < 0 ? "" : path.slice(0, at);
}

/** The folders that a path goes through, from the top. */
export const foldersOf = (path: string): readonly string[] => path.split("/").slice(0, -1);

/** The name up to its last dot; a leading dot belongs to the name. */
export function stemOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? name : name.slice(0, dot);
}

export const withoutExtension = (path: string): string =>
  folderOf(path) === "" ? stemOf(path) : `${folderOf(path)}/${stemOf(path)}`;

export const isBelow = (folder: string, path: string): boolean => folder === "" || path.startsWith(`${folder}/`);

/** A path below a folder, as the folder sees it. */
export const seenFrom = (folder: string, path: string): string =>
  folder === "" ? path : path.slice(folder.length + 1);

/** Null: it leads out of the tree. */
export function joined(folder: string, rest: string): string | null {
  const path = posix.join(folder === "" ? "." : folder, rest).replace(/\/$/, "");
  if (path === ".") return "";
  return path.startsWith("..") || path.startsWith("/") ? null : path;
}
