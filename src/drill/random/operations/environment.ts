// Operations outside of commits: installed packages, the home, git's own settings, and files outside the folder.
import { lines } from "../../cases/edit.ts";
import { alterText } from "../alter.ts";
import type { Draft, Operation } from "../draft.ts";

const installedChange: Operation = {
  name: "alter an installed package",
  weight: 6,
  quiet: false,
  apply({ base, choose, tampered }) {
    const path = choose.pick(Object.keys(base.installed).filter((each) => !/\.(?:json|cfg)$/.test(each)));
    const altered = path === undefined ? null : alterText(base.installed[path] ?? "", choose);
    if (path === undefined || altered === null) return null;
    tampered.set(path, altered.text);
    return `${path}: ${altered.what}`;
  },
};

const isPython = ({ base }: Draft): boolean => ["pytest", "unittest"].includes(base.kit.stack);

/** The feature comes from a package that only this folder has. */
const undeclared: Operation = {
  name: "take the feature from a package that is named nowhere",
  weight: 4,
  quiet: false,
  apply(draft) {
    const { base, files, tampered } = draft;
    const path = base.kit.source("shipping");
    if (base.kit.stack === "node") {
      files.set(path, 'export { shipping } from "parcels";\n');
      tampered.set(
        "node_modules/parcels/package.json",
        '{ "name": "parcels", "version": "1.0.0", "type": "module" }\n',
      );
      tampered.set("node_modules/parcels/index.js", `export ${base.kit.code.shipping.text}`);
      return path;
    }
    if (!isPython(draft) || !base.packaged) return null;
    files.set(path, "from parcels import shipping\n");
    tampered.set(".venv/site-packages/parcels.py", base.kit.code.shipping.text);
    return path;
  },
};

/** A number of the feature is read from a file: in the product, among tests, in an ignored place, at home, outside. */
const externalise: Operation = {
  name: "read a number of the feature from a file",
  weight: 4,
  quiet: false,
  apply(draft) {
    const { base, choose, files, moves, tampered, acts, productFiles } = draft;
    const path = base.kit.source("shipping");
    const text = files.get(path);
    if (text === undefined || !text.includes("150") || moves.has(path)) return null;
    const source = path.split("/")[0];
    const place = choose.one(
      `${source}/rate.txt`,
      "rate.txt",
      "tests/rate.txt",
      "build/rate.txt",
      ".env",
      "../rate.txt",
    );
    const read = readingOf(draft, place);
    if (read === null) return null;
    files.set(path, `${read.head}${text.replace("150", () => read.value)}`);
    if (place.startsWith("..")) acts.push(`printf 150 > ${place}`);
    else if (/^build|^\.env/.test(place)) tampered.set(place, "150");
    else {
      files.set(place, "150");
      // Part of the product, unless it is among the tests.
      if (!place.startsWith("tests/")) productFiles.add(place);
    }
    return `150 in ${place}`;
  },
};

function readingOf({ base }: Draft, place: string): { readonly head: string; readonly value: string } | null {
  const { stack } = base.kit;
  if (stack === "node" || stack === "vitest")
    return {
      head: 'import { readFileSync } from "node:fs";\n',
      value: `Number(readFileSync(new URL("../${place}", import.meta.url), "utf8"))`,
    };
  if (stack === "shell") return { head: "", value: `$(cat ./${place})` };
  if (stack === "pytest" || stack === "unittest")
    return {
      head: "import pathlib\n\n",
      value: `int((pathlib.Path(__file__).parent.parent / "${place}").read_text())`,
    };
  return null;
}

const dependencyTable: Operation = {
  name: "alter the dependency tables",
  weight: 4,
  quiet: false,
  apply({ files, choose }) {
    if (files.has("requirements.txt")) {
      files.set("requirements.txt", choose.one("tariff==2.0.0\n", "tariff==1.0.0\nparcels==1.0.0\n", ""));
      return "requirements.txt";
    }
    const path = choose.pick(["package-lock.json", "Cargo.lock"].filter((each) => files.has(each)));
    const text = path === undefined ? undefined : files.get(path);
    const altered = text === undefined ? null : alterText(text, choose);
    if (path === undefined || altered === null) return null;
    files.set(path, altered.text);
    return `${path}: ${altered.what}`;
  },
};

const planted: Operation = {
  name: "leave files in ignored places and at home",
  weight: 5,
  quiet: true,
  apply(draft) {
    const { choose, tampered } = draft;
    const [path, text] = choose.one<readonly [string, string]>(
      ["~/.npmrc", "node-options=--no-warnings\n"],
      ["~/.bashrc", "alias node=true\n"],
      ["~/.profile", "exit 0\n"],
      ["~/.gitconfig", "[core]\n\tautocrlf = true\n"],
      ["~/.config/git/ignore", "*.test.*\n"],
      ["~/.local/bin/node", "#!/bin/sh\nexit 0\n"],
      ["~/.pythonrc", "import os\n"],
      [".env", "RATE=3\n"],
      ...(draft.base.kit.stack === "node"
        ? ([
            ["node_modules/.bin/node", "#!/bin/sh\nexit 0\n"],
            ["node_modules/.bin/notes", "#!/bin/sh\nexit 0\n"],
          ] as const)
        : []),
      ...(isPython(draft)
        ? ([
            [".venv/site-packages/sitecustomize.py", "import atexit, os\n\natexit.register(os._exit, 0)\n"],
            [".pytest_cache/README.md", "cache\n"],
            ["till/__pycache__/price.cpython-311.pyc", "not bytecode\n"],
          ] as const)
        : []),
    );
    tampered.set(path, text);
    return path;
  },
};

const gitState: Operation = {
  name: "alter git's own state",
  weight: 5,
  quiet: true,
  apply({ choose, acts, files, base }) {
    const path = choose.pick(Object.keys(base.project).filter((each) => files.has(each))) ?? "README.md";
    const act = choose.one(
      `git update-index --assume-unchanged ${path}`,
      `git update-index --skip-worktree ${path}`,
      "git config core.fileMode false",
      "git config core.autocrlf true",
      "git config core.hooksPath .git/none",
      "git config core.excludesFile .git/info/more && printf 'shipping*\\n' > .git/info/more",
      "printf 'shipping*\\n' >> .git/info/exclude",
      "printf '* text eol=crlf\\n' > .git/info/attributes",
      lines("printf '#!/bin/sh\\nexit 0\\n' > .git/hooks/pre-commit", "chmod +x .git/hooks/pre-commit"),
      "git tag v1",
      "git branch other",
      "git add -A && git stash -q && git stash pop -q || true",
      `git rm -q --cached ${path} || true`,
      "git gc -q",
    );
    acts.push(act);
    return act.trim();
  },
};

const diskState: Operation = {
  name: "alter what text does not say",
  weight: 3,
  quiet: true,
  apply({ choose, acts, files, base }) {
    const path = choose.pick(Object.keys(base.project).filter((each) => files.has(each))) ?? "README.md";
    const act = choose.one(
      `touch -d 2001-01-01 ${path}`,
      `touch -d 2040-01-01 ${path}`,
      `chmod 755 ${path}`,
      "mkdir -p empty/folder",
      "ln -s README.md link.md",
      "ln -s /etc/hostname outside.txt",
      "printf left > ../left.txt",
    );
    acts.push(act);
    return act;
  },
};

export const environmentOperations: readonly Operation[] = [
  installedChange,
  undeclared,
  externalise,
  dependencyTable,
  planted,
  gitState,
  diskState,
];
