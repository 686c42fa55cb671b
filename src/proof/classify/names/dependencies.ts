// Rule 3, dependencies: manifests, whose dependency tables are product, and lockfiles, which are product as a whole.
import { nameOf } from "../paths.ts";

const lockfiles =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|poetry\.lock|uv\.lock|pdm\.lock|pylock(?:\.[\w-]+)?\.toml|Pipfile\.lock|go\.sum|go\.work\.sum|Cargo\.lock|Gemfile\.lock|gems\.locked|composer\.lock|packages\.lock\.json|gradle\.lockfile|mix\.lock|pubspec\.lock|Package\.resolved|Podfile\.lock|conan\.lock)$/;

/** Lists of dependencies and nothing else: requirements.txt, requirements-dev.in, test-requirements.txt, constraints.txt. */
const lists = /^(?:[\w.-]*[-_.])?(?:requirements|constraints)(?:[-_.][\w.-]*)?\.(?:txt|in)$/i;

export type ManifestFormat =
  | "package-json"
  | "composer-json"
  | "pyproject"
  | "pipfile"
  | "cargo"
  | "go-mod"
  | "ruby"
  | "setup-cfg"
  | "setup-py";

const formats: readonly (readonly [ManifestFormat, RegExp])[] = [
  ["package-json", /^package\.json$/],
  ["composer-json", /^composer\.json$/],
  ["pyproject", /^pyproject\.toml$/],
  ["pipfile", /^Pipfile$/],
  ["cargo", /^Cargo\.toml$/],
  ["go-mod", /^go\.mod$/],
  ["ruby", /^(?:Gemfile|gems\.rb|.+\.gemspec)$/],
  ["setup-cfg", /^setup\.cfg$/],
  ["setup-py", /^setup\.py$/],
];

export const isLockfile = (path: string): boolean => lockfiles.test(nameOf(path));

/** `requirements/dev.txt` is a list as well. */
export const isDependencyList = (path: string): boolean =>
  lists.test(nameOf(path)) || /(?:^|\/)requirements\/[^/]+\.(?:txt|in)$/i.test(path);

export const manifestFormat = (path: string): ManifestFormat | null =>
  formats.find(([, name]) => name.test(nameOf(path)))?.[0] ?? null;

export const isManifest = (path: string): boolean => manifestFormat(path) !== null || isDependencyList(path);
