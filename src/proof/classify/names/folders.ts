// Folder and file names that say where product usually is, and where it is not.

/** Code of the program itself. */
const mainFolders =
  /^(?:src|sources?|libs?|apps?|cmd|pkg|internal|server|client|api|include|frontend|backend|web|core|libexec)$/i;
/** Product as well, but a program is not made of these alone. */
const sideFolders =
  /^(?:bin|exe|public|static|assets|components|pages|layouts|views|templates|styles|routes|controllers|models|middlewares?|migrations|locales?|i18n|translations|www|completions|types|typings)$/i;

export type RootFolder = "main" | "side";
export function usualRoot(folderName: string): RootFolder | null {
  if (mainFolders.test(folderName)) return "main";
  return sideFolders.test(folderName) ? "side" : null;
}

/** Folders whose children are packages, with a manifest each or without. */
export const isContainer = (folderName: string): boolean =>
  /^(?:packages|apps|crates|modules|services|libs|plugins|workspaces|projects)$/i.test(folderName);

/** Tools for working on the project: they run checks, builds and releases. */
export const isToolFolder = (folderName: string): boolean =>
  /^(?:scripts?|tools?|tooling|hack|ci|config|configs|contrib|dev|etc|infra|deploy|deployment|docker|docs?|documentation|vendor|third_party|tasks|checks?|verify|qa|lint)$/i.test(
    folderName,
  );

/** Where builds write. Product only where a manifest names it: then the tracked files in it are shipped. */
export const isOutputFolder = (folderName: string): boolean =>
  /^(?:dist|build|builds|out|output|generated|release)$/i.test(folderName);

/** Shows the product in use. Tests may run it, so it is product only where it has its own tests. */
export const isShowFolder = (folderName: string): boolean =>
  /^(?:examples?|samples?|demos?|playgrounds?|sandbox|tutorials?|benchmarks?|bench|perf)$/i.test(folderName);

/** Where a program begins, if at the top of its package. */
export const isEntryName = (stem: string): boolean =>
  /^(?:index|main|app|server|cli|mod|wsgi|asgi|__main__|handler|lambda_function|worker|bot|program)$/i.test(stem);
