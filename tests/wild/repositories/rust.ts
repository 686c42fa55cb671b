// A Rust crate without dependencies: tests inside the sources, tests in tests/, and an example in the documentation.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { code, type Expected, type Wild } from "../wild.ts";

const feature = {
  product: {
    "src/lib.rs": [
      ["mod glob;", "mod glob;\nmod set;"],
      ["pub use glob::matches;", "pub use glob::matches;\npub use set::GlobSet;"],
    ],
    "src/set.rs": code`
      //! Several patterns at once, the last that matches decides.
      use crate::matches;

      #[derive(Debug, Default)]
      pub struct GlobSet {
          rules: Vec<(bool, String)>,
      }

      impl GlobSet {
          /// A rule that begins with an exclamation mark takes paths out again.
          pub fn with(mut self, rule: &str) -> Self {
              match rule.strip_prefix('!') {
                  Some(rest) => self.rules.push((false, rest.to_string())),
                  None => self.rules.push((true, rule.to_string())),
              }
              self
          }

          pub fn has(&self, path: &str) -> bool {
              let last = self.rules.iter().rev().find(|(_, pattern)| matches(pattern, path));
              last.map(|(wanted, _)| *wanted).unwrap_or(false)
          }
      }
    `,
  },
  tests: {
    "tests/set.rs": code`
      use shellglob::GlobSet;

      #[test]
      fn the_last_rule_that_matches_decides() {
          let set = GlobSet::default().with("*.rs").with("!main.rs");
          assert!(set.has("lib.rs"));
          assert!(!set.has("main.rs"));
      }

      #[test]
      fn an_empty_set_has_nothing() {
          assert!(!GlobSet::default().has("lib.rs"));
      }
    `,
  },
} as const;

/** rustup's cargo is a small program that looks for the toolchain in the home, and a clean checkout's home is empty. */
function expected(): Expected {
  const home = mkdtempSync(join(tmpdir(), "wild-home-"));
  const env = { PATH: process.env["PATH"] ?? "", HOME: home };
  const answered = spawnSync("cargo", ["--version"], { env, stdio: "ignore" }).status === 0;
  rmSync(home, { recursive: true });
  return answered ? { lines: 0 } : { lines: 1, room: "home: [.rustup]" };
}

export const rust: Wild = {
  files: {
    ".gitignore": "/target\n",
    "README.md": "# shellglob\n\nMatches paths against patterns with `*`, `?` and `**`.\n",
    "Cargo.toml": code`
      [package]
      name = "shellglob"
      version = "0.2.1"
      edition = "2021"

      [dependencies]
    `,
    "src/lib.rs": code`
      //! Matches paths against patterns.
      mod glob;

      pub use glob::matches;
    `,
    "src/main.rs": code`
      use std::io::{stdin, BufRead};

      fn main() {
          let pattern = std::env::args().nth(1).expect("usage: shellglob PATTERN < PATHS");
          for path in stdin().lock().lines().map_while(Result::ok) {
              if shellglob::matches(&pattern, &path) {
                  println!("{path}");
              }
          }
      }
    `,
    "src/glob.rs": code`
      /// Whether a whole path matches. A star stops at a slash, two stars do not.
      ///
      /// ~~~
      /// assert!(shellglob::matches("src/*.rs", "src/lib.rs"));
      /// assert!(!shellglob::matches("src/*.rs", "src/a/lib.rs"));
      /// ~~~
      pub fn matches(pattern: &str, path: &str) -> bool {
          rest(pattern.as_bytes(), path.as_bytes())
      }

      fn rest(pattern: &[u8], path: &[u8]) -> bool {
          match pattern {
              [] => path.is_empty(),
              [b'*', b'*', tail @ ..] => (0..=path.len()).any(|at| rest(tail, &path[at..])),
              [b'*', tail @ ..] => (0..=segment(path)).any(|at| rest(tail, &path[at..])),
              [b'?', tail @ ..] => !path.is_empty() && path[0] != b'/' && rest(tail, &path[1..]),
              [letter, tail @ ..] => path.first() == Some(letter) && rest(tail, &path[1..]),
          }
      }

      fn segment(path: &[u8]) -> usize {
          path.iter().position(|letter| *letter == b'/').unwrap_or(path.len())
      }

      #[cfg(test)]
      mod tests {
          use super::*;

          #[test]
          fn a_segment_ends_at_the_first_slash() {
              assert_eq!(segment(b"ab/c"), 2);
              assert_eq!(segment(b"abc"), 3);
          }

          #[test]
          fn an_empty_pattern_matches_nothing_else() {
              assert!(rest(b"", b""));
              assert!(!rest(b"", b"a"));
          }
      }
    `,
    "tests/paths.rs": code`
      use shellglob::matches;

      #[test]
      fn a_star_stays_in_its_folder() {
          assert!(matches("*.toml", "Cargo.toml"));
          assert!(!matches("*.toml", "sub/Cargo.toml"));
      }

      #[test]
      fn two_stars_cross_folders() {
          assert!(matches("**.toml", "a/b/Cargo.toml"));
      }

      #[test]
      fn a_question_mark_is_one_letter() {
          assert!(matches("?at", "cat"));
          assert!(!matches("?at", "at"));
      }

      #[test]
      fn a_question_mark_is_no_slash() {
          assert!(!matches("a?b", "a/b"));
      }
    `,
  },
  // Writes Cargo.lock.
  install: ["cargo generate-lockfile --offline"],
  reinstall: ["cargo fetch --locked --offline"],
  check: { run: "cargo test" },
  expect: expected,
  feature,
  broken: {
    product: { ...feature.product, "src/glob.rs": [[" && path[0] != b'/'", ""]] },
    tests: {
      ...feature.tests,
      "tests/paths.rs": [
        ["a_question_mark_is_no_slash", "a_question_mark_is_any_letter"],
        ['assert!(!matches("a?b", "a/b"));', 'assert!(matches("a?b", "a/b"));'],
      ],
    },
  },
};
