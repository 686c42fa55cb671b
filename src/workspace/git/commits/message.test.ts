// The message of a commit by the loop, and how the commit is recognized later.
import { expect, test } from "vitest";
import { hasTrailers, messageOf } from "./message.ts";

const order = (subject: string, body: string, trailers: Record<string, string>) =>
  messageOf({ subject, body, trailers, tree: "" as never, parent: null });
const ours = { "Loop-Run": "r1", "Loop-Feature": "F001" };

test.each([
  {
    what: "everything",
    message: () => order("feat: x", "why\n\nmore", ours),
    is: "feat: x\n\nwhy\n\nmore\n\nLoop-Run: r1\nLoop-Feature: F001\n",
  },
  {
    what: "no body",
    message: () => order("feat: x", " \n", ours),
    is: "feat: x\n\nLoop-Run: r1\nLoop-Feature: F001\n",
  },
  { what: "no trailers", message: () => order("feat: x", "why", {}), is: "feat: x\n\nwhy\n" },
  {
    what: "lines where one is meant",
    message: () => order(" a\n\n b\0c ", "", { T: "x\n\ny " }),
    is: "a b c\n\nT: x y\n",
  },
])("a message of $what has one empty line between its parts", ({ message, is }) => {
  expect(message()).toBe(is);
});

test.each([
  { what: "its own message", message: () => order("s", "b", ours), asked: ours, known: true },
  { what: "one trailer of two", message: () => order("s", "b", ours), asked: { "Loop-Run": "r1" }, known: true },
  {
    what: "a value on several lines",
    message: () => order("s", "b", { T: "a\nb" }),
    asked: { T: "a\nb" },
    known: true,
  },
  { what: "empty lines at the end", message: () => `${order("s", "b", ours)}\n\n`, asked: ours, known: true },
  { what: "another value", message: () => order("s", "b", ours), asked: { ...ours, "Loop-Run": "r2" }, known: false },
  { what: "one trailer more", message: () => order("s", "b", ours), asked: { ...ours, More: "x" }, known: false },
  {
    what: "trailers in the body only",
    message: () => "s\n\nLoop-Run: r1\nLoop-Feature: F001\n\nend\n",
    asked: ours,
    known: false,
  },
  { what: "nothing asked for", message: () => order("s", "b", ours), asked: {}, known: false },
  { what: "no message", message: () => "", asked: ours, known: false },
])("a commit is recognized by $what: $known", ({ message, asked, known }) => {
  expect(hasTrailers(message(), asked)).toBe(known);
});
