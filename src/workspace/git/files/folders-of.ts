// The parent folders of files.

/** Every parent folder of these paths, each once. */
export function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>();
  // A known folder's parents are known too.
  for (const path of paths)
    for (
      let at = path.lastIndexOf("/");
      at !== -1 && !folders.has(path.slice(0, at));
      at = path.lastIndexOf("/", at - 1)
    )
      folders.add(path.slice(0, at));
  return folders;
}
