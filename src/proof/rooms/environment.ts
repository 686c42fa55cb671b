// The environment of a room: an explicit list, never inherited from the loop.
import { delimiter, isAbsolute } from "node:path";

/** The person's settings for language, time and user; never the terminal's colours. */
const plain = ["LANG", "LANGUAGE", "TZ", "TERM", "USER", "LOGNAME", "SHELL"];
/** How this machine reaches the network. */
const network = [
  ...["http_proxy", "https_proxy", "no_proxy", "all_proxy", "ftp_proxy"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"],
  ...["GIT_SSL_CAINFO", "NIX_SSL_CERT_FILE", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_CERT", "PIP_TRUSTED_HOST"],
  ...["UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX", "UV_NATIVE_TLS", "GOPROXY", "GONOPROXY", "GOSUMDB", "GONOSUMDB"],
  ...["GOPRIVATE", "GOTOOLCHAIN", "YARN_NPM_REGISTRY_SERVER", "COREPACK_NPM_REGISTRY", "BUNDLE_MIRROR__ALL"],
].map((name) => name.toLowerCase());
const families = [
  /^LC_[A-Z_]+$/,
  /^npm_config_(?:registry|ca|cafile|strict_ssl|proxy|https_proxy|noproxy|@.+:registry)$/i,
  /^CARGO_(?:REGISTRIES|REGISTRY|HTTP|NET|SOURCE)_\w+$/,
  /^(?:PYENV_VERSION|RUSTUP_TOOLCHAIN|RUSTUP_DIST_SERVER|NODE_VERSION|LD_LIBRARY_PATH|DYLD_\w+|PKG_CONFIG_PATH|CC|CXX)$/,
];
const secret = /TOKEN|PASSWORD|PASSWD|SECRET|CREDENTIAL|AUTH/i;

export type RoomEnvironment = {
  readonly person: NodeJS.ProcessEnv;
  /** Variables that name tools in the person's home. */
  readonly tools: Readonly<Record<string, string>>;
  /** Names that the terms list. */
  readonly names: readonly string[];
  readonly home: string;
  readonly tmp: string;
  /** Folders to put before the person's PATH. */
  readonly programs: readonly string[];
  /** Where a path of the workspace is in the room. */
  at(path: string): string;
};

export function roomEnvironment({ person, tools, names, home, tmp, programs, at }: RoomEnvironment) {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(person)) if (value !== undefined && isListed(name)) env[name] = value;
  const path = (person["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(delimiter).filter(isAbsolute).map(at);
  const activated = person["VIRTUAL_ENV"];
  const named = names.flatMap((name) => (person[name] === undefined ? [] : [[name, person[name]] as const]));
  return {
    ...env,
    ...tools,
    ...(activated === undefined ? {} : { VIRTUAL_ENV: at(activated) }),
    ...Object.fromEntries(named),
    CI: "1",
    HOME: home,
    TMPDIR: tmp,
    PATH: [...new Set([...programs, ...path])].join(delimiter),
  };
}

export const isListed = (name: string): boolean =>
  plain.includes(name) ||
  network.includes(name.toLowerCase()) ||
  (families.some((family) => family.test(name)) && !secret.test(name));
