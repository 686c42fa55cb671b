// Packages that new code imports and no manifest names: they are here by chance, because something else brought them along.
import { isBuiltin } from "node:module";
import type { Case } from "../case.ts";
import { importsIn, importsOf, specifiersIn } from "../classify/index.ts";
import { listed } from "../findings/said.ts";
import { changedCode } from "../sides.ts";
import { dependenciesIn, isManifest } from "./dependencies.ts";

export function undeclaredQuestions(c: Pick<Case, "sides">): string[] {
  const found = [...undeclared(c, /\.[cm]?[jt]sx?$/, packageJson), ...undeclared(c, /\.py$/, python)];
  if (found.length === 0) return [];
  return [
    `It imports what no manifest names: ${listed(found)}. Where dependencies are installed afresh, that is missing. Declare it, or do without.`,
  ];
}

type Ecosystem = {
  readonly manifest: RegExp;
  /** Package names that a text imports. */
  readonly imports: (text: string) => readonly string[];
  readonly isKnown: (name: string) => boolean;
  readonly isDeclared: (name: string, declared: ReadonlySet<string>) => boolean;
};

const packageJson: Ecosystem = {
  manifest: /(?:^|\/)package\.json$/,
  imports: (text) => specifiersIn(text).flatMap(packageOf),
  isKnown: (name) => isBuiltin(name),
  isDeclared: (name, declared) => declared.has(name) || declared.has(`@types/${name}`),
};

/** `lodash/fp` is of lodash, `@a/b/c` of @a/b; paths, aliases and addresses are no packages. */
function packageOf(specifier: string): string[] {
  if (!/^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?:\/|$)/.test(specifier) || specifier.includes(":")) return [];
  return [
    specifier
      .split("/")
      .slice(0, specifier.startsWith("@") ? 2 : 1)
      .join("/"),
  ];
}

const python: Ecosystem = {
  manifest: /(?:^|\/)(?:pyproject\.toml|requirements[^/]*\.(?:txt|in)|Pipfile)$/,
  imports: (text) => importsIn(text).flatMap(({ module }) => module.split(".")[0] ?? []),
  isKnown: (name) => name === "" || standard.has(name),
  // Distributions are often called otherwise: PyYAML, python-dateutil, beautifulsoup4.
  isDeclared: (name, declared) =>
    [...declared].some((one) => plain(one).includes(plain(name)) || isOtherwise(name, one)),
};

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");
const otherwise: Readonly<Record<string, string>> = {
  bs4: "beautifulsoup4",
  PIL: "pillow",
  cv2: "opencv",
  sklearn: "scikitlearn",
  skimage: "scikitimage",
  attr: "attrs",
  google: "google",
  Crypto: "pycrypto",
  serial: "pyserial",
  zmq: "pyzmq",
  OpenSSL: "pyopenssl",
  MySQLdb: "mysqlclient",
  psycopg2: "psycopg2",
};
const isOtherwise = (name: string, declared: string): boolean =>
  otherwise[name] !== undefined && plain(declared).startsWith(otherwise[name]);

/** Only where the project has a manifest, only what is new in it, and nothing that its own code or another file imports already. */
function undeclared({ sides }: Pick<Case, "sides">, code: RegExp, of: Ecosystem): string[] {
  const { base, candidate } = sides;
  const manifests = candidate.paths.filter((path) => of.manifest.test(path) && isManifest(path));
  if (manifests.length === 0) return [];
  const declared = new Set(manifests.flatMap((path) => namesIn(path, candidate.text(path) ?? "")));
  const files = changedCode(sides).filter(({ path, kind }) => code.test(path) && kind !== "deleted");
  if (files.length === 0) return [];
  const before = new Set(
    base.paths.filter((path) => code.test(path)).flatMap((path) => of.imports(base.text(path) ?? "")),
  );
  return files.flatMap(({ path }) =>
    [...new Set(of.imports(candidate.text(path) ?? ""))]
      .filter((name) => !before.has(name) && !of.isKnown(name) && !of.isDeclared(name, declared))
      .filter((name) => !isOwn(name, path, candidate))
      .map((name) => `${name} (${path})`),
  );
}

function namesIn(path: string, text: string): readonly string[] {
  const own = /(?:^|\/)package\.json$/.test(path) ? (/"name"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? null) : null;
  return own === null ? dependenciesIn(path, text) : [...dependenciesIn(path, text), own];
}

/** A module of the project, a workspace package, or an alias of a path in it. */
function isOwn(name: string, path: string, tree: Case["sides"]["candidate"]): boolean {
  const inTree = tree.paths.some((other) =>
    other.split("/").some((part) => part === name || part.startsWith(`${name}.`)),
  );
  if (inTree) return true;
  return importsOf(path, tree).some((to) => to.includes(`/${name}/`) || to.startsWith(`${name}/`));
}

const standard = new Set(
  `__future__ __main__ _thread abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2
  calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib contextvars
  copy copyreg cProfile crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip
  enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc getopt getpass gettext glob graphlib grp gzip
  hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale
  logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib ntpath numbers
  operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile
  pstats pty pwd py_compile pyclbr pydoc queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select
  selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 ssl stat statistics string stringprep
  struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios test textwrap threading time timeit
  tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid venv
  warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`
    .split(/\s+/)
    .filter((word) => word !== ""),
);
