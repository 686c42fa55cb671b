// The folders that files lie in.

/** Every folder on the way to these paths, each once. */
export function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>();
  // A folder that is known has all those above it.
  for (const path of paths)
    for (
      let at = path.lastIndexOf("/");
      at !== -1 && !folders.has(path.slice(0, at));
      at = path.lastIndexOf("/", at - 1)
    )
      folders.add(path.slice(0, at));
  return folders;
}
