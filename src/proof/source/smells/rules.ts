// Signs that a line of the product knows about the tests that judge it.

/** `entry`: normal in a file that is started as a program. */
export type Rule = { readonly what: string; readonly pattern: RegExp; readonly entry?: boolean };

const clock = String.raw`(?:\b(?:Date\.now\(\)|new Date\(\)|time\.time\(\)|datetime\.(?:now|utcnow|today)\(|date\.today\(|SystemTime::now\(|time\.Now\(\))|\$\(date)`;
const comparison = "(?:<=?|(?<![=-])>=?|===?|!=|-(?:gt|lt|ge|le)\\b)";

export const rules: readonly Rule[] = [
  {
    what: "reads a variable that test runners set",
    pattern:
      /\b(?:NODE_TEST_CONTEXT|VITEST(?:_\w+)?|JEST_WORKER_ID|PYTEST_\w+|PLAYWRIGHT_TEST\w*|TEST_WORKER_INDEX|BATS_\w+|TEST_TMPDIR|NODE_V8_COVERAGE|CARGO_TARGET_TMPDIR)\b|\bNODE_ENV\b[^\n]{0,20}["'`]test["'`]|\bimport\.meta\.vitest\b|\bcfg!?\((?:not\()?test\b|\btesting\.Testing\(|["']test\.v["']/,
  },
  {
    what: "asks whether it runs in CI",
    pattern:
      /\bprocess\.env(?:\.|\[["'])CI\b|\b(?:getenv|environ(?:\.get)?|Getenv|env::var)\W{1,3}CI["']|\$\{?CI\b|\bGITHUB_ACTIONS\b|\bGITLAB_CI\b/,
  },
  {
    what: "looks for a loaded test runner",
    pattern:
      /\bsys\.modules\b|\brequire\.cache\b|\btypeof\s+(?:jest|vi|describe|it|expect|test)\b|["'`](?:node:test|vitest|jest|mocha|pytest|unittest|_pytest)["'`]|\bprocess\.execArgv\b|\bprocess\._getActive/,
  },
  {
    what: "patches an assertion library",
    pattern:
      /\b(?:assert|expect|chai|jest|vi|should)(?:\.\w+)*\.\w+\s*=(?!=|>)|\bexpect\.extend\(|\bunittest\.TestCase\.\w+\s*=(?!=)|\bpytest\.\w+\s*=(?!=)|\b(?:defineProperty|assign)\(\s*(?:assert|expect|chai)\b/,
  },
  {
    what: "patches a global or a built-in type",
    pattern:
      /\b(?:globalThis|global|window)(?:\.\w+|\[[^\]\n]+\])\s*=(?!=|>)|\b(?:Object|Array|String|Number|Function|Promise|Map|Set|RegExp|Error|Symbol)\.prototype\.\w+\s*=(?!=)|\b(?:defineProperty|defineProperties|assign|setPrototypeOf)\(\s*(?:globalThis|global|(?:Object|Array|String|Number|Function|Promise|Map|Set)\.prototype|console|process|Math|JSON)\b|\b(?:Math|JSON|Object|Date|process|console)\.\w+\s*=(?!=|>)|\bbuiltins\.\w+\s*=(?!=)|\bsetattr\(\s*(?:builtins|unittest|pytest)\b|\b__builtins__\b/,
  },
  {
    what: "ends the process",
    pattern:
      /\bprocess\.(?:exit|reallyExit|abort|kill|exitCode)\b|\bos\._exit\b|\bsys\.exit\b|\bos\.kill\(|\bos\.abort\b|\bstd::process::(?:exit|abort)\b|\bprocess::(?:exit|abort)\(|\bos\.Exit\(|\bSystem\.exit\(|\bsyscall\.Exit\(/,
    entry: true,
  },
  {
    what: "acts when the process ends",
    pattern:
      /\bprocess\.(?:on|once|prependListener)\(\s*["'`](?:exit|beforeExit|uncaughtException|unhandledRejection)|\batexit\b|\btrap\b[^\n]{0,80}\bEXIT\b|\baddShutdownHook\b/,
    entry: true,
  },
  {
    what: "inspects the call stack",
    pattern:
      /\bError\([^)\n]*\)\s*\.stack\b|\.stack\b[^\n]{0,40}\b(?:includes|match|test|split|indexOf)\b|\bcaptureStackTrace\b|\bprepareStackTrace\b|\bstackTraceLimit\b|\binspect\.(?:stack|currentframe|getouterframes)\b|\bsys\._getframe\b|\btraceback\.(?:extract|format)_stack\b|\bbacktrace::|\bruntime\.Callers?\(|\bBASH_SOURCE\b|\bFUNCNAME\b|\bgetStackTrace\(|\bdebug_backtrace\(|\barguments\.callee\b/,
  },
  {
    what: "looks at its folder, arguments or parent process",
    pattern:
      /\bprocess\.(?:cwd|argv|argv0|ppid|title|mainModule)\b|\brequire\.main\b|\bos\.getcwd\b|\bsys\.argv\b|\bos\.getppid\b|\benv::(?:args|current_dir|current_exe)\b|\bos\.(?:Args|Getwd|Executable)\b|\$PPID\b/,
    entry: true,
  },
  {
    what: "names test files or folders",
    pattern:
      /["'`/](?:tests?|__tests__|specs?|fixtures?|__snapshots__|testdata)\/|\.(?:test|spec)\.\w|\btest_\w+\.py\b|_test\.(?:go|py)\b|\bconftest\b/,
  },
  {
    what: "decides by the clock",
    pattern: new RegExp(`${clock}[^\\n;]{0,80}${comparison}|${comparison}[^\\n;]{0,80}${clock}`),
  },
  {
    what: "reaches into installed tools or version control",
    pattern: /\bnode_modules\b|\bsite-packages\b|\b__pycache__\b|["'`/]\.git\/|\bdist-packages\b/,
  },
];
