// What a clean checkout may lack: one setting of loop.yaml each, so that a diagnosis can be saved.
import type { ProofTerms } from "../../core/contract.ts";
import { unreachable } from "../../core/errors.ts";

/**
 * `build`: the whole command line, "" for none. `file`: an ignored path. `env`: a variable. `home`: a path below the home.
 * `outside`: a folder outside of the project.
 */
export type Addition =
  | { readonly is: "build"; readonly run: string }
  | { readonly is: "file" | "home" | "outside"; readonly path: string }
  | { readonly is: "env"; readonly name: string };

export const keyOf = (addition: Addition): string => `${addition.is} ${entryOf(addition)}`;

export function entryOf(addition: Addition): string {
  switch (addition.is) {
    case "build":
      return addition.run;
    case "env":
      return addition.name;
    case "file":
    case "home":
    case "outside":
      return addition.path;
    default:
      return unreachable(addition);
  }
}

/** The terms of a proof with the additions; existing settings stay. */
export function withAdditions(terms: ProofTerms, additions: readonly Addition[]): ProofTerms {
  const { room } = terms;
  const build = additions.find((one) => one.is === "build");
  const values = (is: Addition["is"]): string[] => additions.filter((one) => one.is === is).map(entryOf);
  const together = (before: readonly string[], is: Addition["is"]) => [...new Set([...before, ...values(is)])];
  return {
    ...terms,
    build: build?.run ?? terms.build,
    room: {
      files: together(room.files, "file"),
      env: together(room.env, "env"),
      home: together(room.home, "home"),
      outside: together(room.outside, "outside"),
    },
  };
}

const secretName =
  /TOKEN|PASSWORD|PASSWD|SECRET|CREDENTIAL|AUTH|PRIVATE|API_?KEY|ACCESS_?KEY|(?:^|_)KEY$|DATABASE_URL|(?:^|_)DSN$/i;
const secretFile =
  /^\.env(?:\..+)?$|^\.envrc$|\.(?:pem|key|p12|pfx|jks|keystore|kdbx)$|^id_[a-z0-9]+$|secret|credential|password|service-?account|^\.(?:netrc|npmrc|pypirc|pgpass|my\.cnf|git-credentials|aws|azure|kube|docker|ssh|gnupg)$/i;

/** Looks only at the name and reads nothing. */
export function looksSecret(addition: Addition): boolean {
  if (addition.is === "build") return false;
  if (addition.is === "env") return secretName.test(addition.name);
  return addition.path.split("/").some((part) => secretFile.test(part));
}
