// The commands that a shell's command line would run, each with its words, its folder and its input. Plain JavaScript,
// because it also runs in the processes that agents ask before a command.
//
// A reader, and no shell: what only running it would show (a variable from elsewhere, a file's content) stays unknown.
import { basename, resolve } from "node:path";
import { scriptsIn, stepsIn } from "./shell-text.mjs";

const depthMax = 8;
const commandsMax = 5000;

/**
 * @typedef {{ program: string, words: string[], cwd: string, redirects: { op: string, target: string }[],
 *   input: string | null }} Command `input`: what it reads from stdin, where the line itself has it. Paths are absolute.
 */

/** @param {string} text @param {{ cwd: string, home: string }} at @returns {Command[]} */
export function commandsIn(text, { cwd, home }) {
  /** @type {Command[]} */
  const found = [];
  run(stepsIn(text), { cwd, home, vars: new Map(), found, depth: 0 });
  return found;
}

/** Runs a script in this shell: the folder that it goes to stays. */
function run(steps, shell) {
  if (shell.depth >= depthMax) return;
  const inner = { ...shell, depth: shell.depth + 1 };
  const folders = [];
  let output = null;
  for (const step of steps) {
    if (shell.found.length >= commandsMax) return;
    if (step.is === "open") folders.push(inner.cwd);
    else if (step.is === "close") inner.cwd = folders.pop() ?? inner.cwd;
    else output = simple(step, inner, step.isPiped ? output : null);
  }
  shell.cwd = inner.cwd;
}

/** Returns what it prints, where that is known: the input of the next command of a pipe. */
function simple({ words, redirects, heredoc }, shell, piped) {
  const apart = (script) => run(script, { ...shell });
  const expand = (word) => {
    for (const script of word.scripts) apart(script);
    return expanded(word, shell);
  };
  if (heredoc?.isOpen && heredoc.text !== null) for (const script of scriptsIn(heredoc.text)) apart(script);
  const all = withoutKeywords(words).flatMap(expand);
  const to = redirects.map(({ op, target }) => ({ op, text: expand(target).join(" ") }));
  const said = to.find(({ op }) => op === "<<<")?.text ?? heredoc?.text ?? piped;
  const files = to.filter(({ op }) => op !== "<<<").map(({ op, text }) => ({ op, target: resolve(shell.cwd, text) }));
  return called(all, { redirects: files, input: said }, shell);
}

/** A command with its words known. What wraps another one leads to that one. */
function called(words, at, shell) {
  const from = words.findIndex((word) => !isAssignment(word));
  if (from === -1) for (const word of words) assign(word, shell);
  const [named = "", ...rest] = from === -1 ? [] : words.slice(from);
  const program = basename(named);
  const wrapped = wrappedBy(program, rest, at.input);
  if (wrapped !== null) return called(wrapped, program === "xargs" ? { ...at, input: null } : at, shell);
  const script = scriptOf(program, rest, at.input);
  if (script !== null) run(stepsIn(script), program === "eval" ? shell : { ...shell });
  if (program === "cd" || program === "pushd") shell.cwd = wentTo(rest, shell);
  if (program !== "" || at.redirects.length > 0) shell.found.push({ ...at, program, words: rest, cwd: shell.cwd });
  if (program === "find") for (const inner of executed(rest)) called(inner, nothing, { ...shell });
  if (program === "cat" || program === "tee") return at.input;
  return program === "echo" || program === "printf" ? rest.join(" ").replaceAll("\\n", "\n") : null;
}

const nothing = { redirects: [], input: null };

const isAssignment = (word) => /^[A-Za-z_]\w*\+?=/.test(word);

function assign(word, { vars }) {
  const [name, value] = [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)];
  vars.set(name.replace("+", ""), name.endsWith("+") ? `${vars.get(name.slice(0, -1)) ?? ""}${value}` : value);
}

function wentTo(words, { cwd, home }) {
  const to = words.find((word) => !/^-./.test(word)) ?? home;
  return to === "-" ? cwd : resolve(cwd, to);
}

/** Programs that run another one, with their options that take the next word. */
const wrappers = {
  sudo: /^-[ugpCrtThDR]$/,
  doas: /^-[uC]$/,
  env: /^(?:-[uC]|--unset|--chdir)$/,
  nice: /^(?:-n|--adjustment)$/,
  ionice: /^-[cnp]$/,
  timeout: /^(?:-[ks]|--kill-after|--signal)$/,
  stdbuf: /^-[ioe]$/,
  exec: /^-a$/,
  xargs: /^(?:-[aEdILnPs]|--arg-file|--delimiter|--max-args|--max-procs|--max-lines|--replace)$/,
  time: /^-[fo]$/,
  flock: /^-[wE]$/,
  nohup: /^$/,
  setsid: /^$/,
  command: /^$/,
  builtin: /^$/,
  busybox: /^$/,
};

/** The command that this one runs; null: it runs none. */
function wrappedBy(program, words, input) {
  if (!Object.hasOwn(wrappers, program)) return null;
  if (program === "command" && /^-[vV]$/.test(words[0] ?? "")) return null;
  let at = 0;
  for (let word = words[at]; word?.startsWith("-"); word = words[at]) {
    at += wrappers[program].test(word) ? 2 : 1;
    if (program === "env" && /^(?:-S|--split-string)$/.test(word)) return (words[at] ?? "").split(/\s+/);
    if (word === "--") break;
  }
  // The limit of time, and the file that is locked.
  if (program === "timeout" || program === "flock") at += 1;
  const inner = words.slice(at);
  if (program === "flock" && inner[0] === "-c") return ["sh", ...inner];
  // It adds what it reads to the words.
  return program === "xargs" && inner.length > 0 ? [...inner, ...(input ?? "").split(/\s+/).filter(Boolean)] : inner;
}

const shells = new Set(["sh", "bash", "zsh", "dash", "ksh", "ash", "fish"]);

/** The script that this command runs, where the line has it; null: none that is known. */
function scriptOf(program, words, input) {
  if (program === "eval") return words.join(" ");
  if (program !== "su" && !shells.has(program)) return null;
  const flag = words.findIndex((word) => /^-[a-zA-Z]*c$/.test(word) || word === "--command");
  if (flag !== -1) return words.slice(flag + 1).find((word) => !/^[-+]/.test(word)) ?? null;
  // A file of commands is not known. Without one it reads them from stdin.
  return program === "su" || words.some((word) => !/^[-+]/.test(word)) ? null : input;
}

/** What `find` runs for the files that it finds, as if they lay directly in the folder where it looks. */
function executed(words) {
  const from = words[0]?.startsWith("-") === false ? words[0] : ".";
  return words.flatMap((word, at) => {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(word)) return [];
    const rest = words.slice(at + 1);
    const end = rest.findIndex((each) => each === ";" || each === "+");
    return [rest.slice(0, end === -1 ? undefined : end).map((each) => each.replaceAll("{}", `${from}/x`))];
  });
}

const keywords = new Set(["if", "then", "else", "elif", "fi", "do", "done", "while", "until", "{", "}", "!"]);

function withoutKeywords(words) {
  const from = words.findIndex(({ text, isBare }) => !isBare || !keywords.has(text));
  const rest = from === -1 ? [] : words.slice(from);
  const [loop, name, , ...values] = rest;
  if (loop === undefined || !loop.isBare || loop.text !== "for" || name === undefined) return rest;
  // `for x in a b` gives x both.
  const space = { text: " ", how: "literal" };
  const parts = [{ text: `${name.text}=`, how: "literal" }, ...values.flatMap((value) => [...value.parts, space])];
  return [{ ...name, parts, scripts: values.flatMap(({ scripts }) => scripts), isBare: false }];
}

/** One word as the shell makes it; several where an unquoted variable has several. */
function expanded({ parts, isBare }, { home, cwd, vars }) {
  const known = (name) => (name === "HOME" ? home : name === "PWD" ? cwd : vars.get(name));
  let isSplit = false;
  const text = parts
    .map(({ text: part, how }, at) => {
      if (how === "literal") return part;
      const tilde = how === "bare" ? part.replace(at === 0 ? /^(\w+=)?~(?=\/|$)/ : /^()~(?=\/|$)/, `$1${home}`) : part;
      return tilde.replace(/\$(?:(\w+)|\{(\w+)\})/g, (whole, bare, braced) => {
        const value = known(bare ?? braced);
        isSplit ||= isBare && value !== undefined && /\s/.test(value);
        return value ?? whole;
      });
    })
    .join("");
  return isSplit && !isAssignment(text) ? text.split(/\s+/).filter(Boolean) : [text];
}
