// Reads issues through an installed gh. Nothing is written there, and nothing is pushed.
import { execFile } from "node:child_process";
import { z } from "zod";
import { UserError } from "../../core/errors.ts";
import { isErrno } from "../../host/disk.ts";
import { ownPath, ownProgram } from "../../host/own-programs.ts";

const timeoutMs = 60_000;
const bytesMax = 8 << 20;
const listMax = 200;

const issueShape = z.object({ number: z.number(), title: z.string(), body: z.string().nullish(), url: z.string() });

/** An issue as a request: its title, its text, and where it is from. */
export async function issueRequest(root: string, named: string): Promise<string> {
  const number = /^#?(\d{1,9})$/.exec(named)?.[1];
  if (number === undefined)
    throw new UserError("bad-flag", {
      what: "Nothing was started.",
      why: `${named} is not the number of an issue.`,
      next: "loop --issue 123",
    });
  const text = await gh(root, ["issue", "view", number, "--json", "number,title,body,url"]);
  const issue = issueShape.safeParse(parsed(text));
  if (!issue.success) throw failed(`gh printed no issue for ${number}.`, `gh issue view ${number}`);
  const { title, body, url } = issue.data;
  return [title.trim(), (body ?? "").trim(), `From ${url}`].filter((part) => part !== "").join("\n\n");
}

/** The open issues, as gh lists them. */
export async function issueList(root: string): Promise<string> {
  const fields = "number,title,body,state,labels,url";
  return gh(root, ["issue", "list", "--state", "open", "--limit", String(listMax), "--json", fields]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function gh(root: string, args: readonly string[]): Promise<string> {
  // Without a terminal gh asks nothing, and without a pager it starts none.
  const env = { ...process.env, PATH: ownPath(), GH_PROMPT_DISABLED: "1", GH_PAGER: "", NO_COLOR: "1" };
  return new Promise((resolve, reject) => {
    execFile(
      ownProgram("gh"),
      args,
      { cwd: root, env, timeout: timeoutMs, maxBuffer: bytesMax },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else if (isErrno(error, "ENOENT"))
          reject(failed("gh is not installed.", "Install it (https://cli.github.com), then: gh auth login"));
        else
          reject(
            failed(
              lastLine(stderr) || `gh ended with ${error.code ?? error.signal}.`,
              `gh ${args.slice(0, 3).join(" ")}`,
            ),
          );
      },
    );
  });
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? "";

const failed = (why: string, next: string): UserError =>
  new UserError("github-unread", { what: "Nothing was read from GitHub.", why, next });
