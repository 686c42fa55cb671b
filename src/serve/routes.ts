// The API: looking at runs, and what a person can say to them. Each route uses the verbs of the engine.
import type { z } from "zod";
import { UserError } from "../core/errors.ts";
import type { Run } from "../core/run.ts";
import type { Engine } from "../engines/engine.ts";
import { answerOnRecord, isDrivenElsewhere } from "../engines/first-answer.ts";
import { newRunId } from "../engines/new-run-id.ts";
import { overviewOf } from "../engines/overview.ts";
import { noSuchRun } from "../engines/watch.ts";
import { addressed } from "../report/words/left.ts";
import type { SignalFact } from "../runtime/ports.ts";
import { personHere } from "../workspace/git/repository/person.ts";
import { type About, answerTo, approval, decision, rejection, send, Turns } from "./answers.ts";
import type { Drive } from "./drivers.ts";
import { runsOf, waitingIn, workspaceAtGlance } from "./looks.ts";
import { acting, type Call, type Given, type Route } from "./route.ts";
import * as schemas from "./schemas.ts";
import { streamHead } from "./sse.ts";
import { stream } from "./stream.ts";
import { ownerName, type Person } from "./tokens.ts";
import type { Served, Workspaces } from "./workspaces.ts";

export type Desk = {
  readonly workspaces: Workspaces;
  readonly drive: Drive;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
};

const api = "/api/v1";
const inWorkspace = `${api}/workspaces/{workspace}`;
const ofRun = `${inWorkspace}/runs/{run}`;

export function routesOf(desk: Desk): readonly Route[] {
  return [...looking(desk), ...beginning(desk), ...answering(desk), ...steering(desk)];
}

const servedAt = ({ workspaces }: Desk, { at }: Call): Served => workspaces.find(at["workspace"] ?? "");

/** The run by its whole id: a shortened one is for people at a terminal. */
async function placeOf(desk: Desk, call: Call): Promise<Served & { readonly run: string }> {
  const served = servedAt(desk, call);
  const run = call.at["run"] ?? "";
  if (!(await served.engine.runs()).includes(run)) throw noSuchRun(run);
  return { ...served, run };
}

function looking(desk: Desk): readonly Route[] {
  return [
    {
      method: "GET",
      path: `${api}/workspaces`,
      says: "Lists the registered workspaces",
      gives: schemas.workspaces,
      look: async () => ({ workspaces: await Promise.all(desk.workspaces.all().map(workspaceAtGlance)) }),
    },
    {
      method: "GET",
      path: `${inWorkspace}/waiting`,
      says: "Lists what waits for a person, with what an answer has to name",
      gives: schemas.waiting,
      look: async (call) => ({ waiting: await waitingIn(servedAt(desk, call).engine) }),
    },
    {
      method: "GET",
      path: `${inWorkspace}/runs`,
      says: "Lists the latest runs, newest first",
      gives: schemas.runs,
      look: async (call) => ({ runs: await runsOf(servedAt(desk, call).engine) }),
    },
    {
      method: "GET",
      path: ofRun,
      says: "Shows a run: where it is, its features, proofs and timeline",
      gives: schemas.oneRun,
      async look(call) {
        const { engine, run } = await placeOf(desk, call);
        const { seq, isDriven } = await engine.read(run);
        return { seq, driven: isDriven, status: addressed(await overviewOf(engine, run)) };
      },
    },
    {
      method: "GET",
      path: `${ofRun}/answers/{subject}`,
      says: "Shows what was answered to a gate, a question or held work, by its id",
      gives: schemas.answered,
      async look(call) {
        const { engine, run } = await placeOf(desk, call);
        return { said: await answerOnRecord(engine, run, call.at["subject"] ?? "") };
      },
    },
    {
      method: "GET",
      path: `${ofRun}/events`,
      says: "Streams a run: its status, then every event since Last-Event-ID (or ?from=N), and what agents are seen to do",
      async watch(call, response, from) {
        const { engine, run } = await placeOf(desk, call);
        response.writeHead(200, streamHead);
        await stream(response, engine, run, from, desk.closing);
      },
    },
  ];
}

function beginning(desk: Desk): readonly Route[] {
  return [
    acting({
      path: `${inWorkspace}/runs`,
      says: "Begins a run",
      takes: schemas.begin,
      gives: schemas.done,
      async act(given) {
        const { root } = servedAt(desk, given);
        const { request = null, limits, autonomy, yes = false } = given.body;
        const job = {
          do: "begin",
          run: newRunId(new Date()),
          task: null,
          request,
          yes,
          flags: { limits, autonomy },
        } as const;
        const run = await desk.drive({ root, job });
        return { run, taken: true, resumed: true, note: null };
      },
    }),
  ];
}

function answering(desk: Desk): readonly Route[] {
  const turns = new Turns();
  const say = async ({ body, ...call }: Given<About>, make: (run: Run, by: string) => SignalFact) => {
    const { engine, run, root } = await placeOf(desk, call);
    const by = await signedBy(call.person, root);
    return turns.take(run, async () => {
      const { driver, taken } = await send(engine, run, body, (state) => make(state, by));
      const note = taken ? null : "The process that drives the run is busy and takes it later.";
      if (driver !== "none") return { run, taken, resumed: false, note };
      return { run, taken, ...(await resumed(desk, root, engine, run)) };
    });
  };
  const toRun = (name: string) => ({ path: `${ofRun}/${name}`, gives: schemas.done });
  return [
    acting({
      ...toRun("approve"),
      says: "Approves the open gate and resumes the run",
      takes: schemas.approve,
      act: (given) => say(given, (run) => approval(run, given.body)),
    }),
    acting({
      ...toRun("reject"),
      says: "Rejects the open gate, or held work, and resumes the run",
      takes: schemas.reject,
      act: (given) =>
        say(given, (run, by) => {
          const { body } = given;
          if ("gate" in body) return rejection(run, body, body.reason);
          return decision(run, body.feature, body.tree, by, { how: "reject", reason: body.reason });
        }),
    }),
    acting({
      ...toRun("answer"),
      says: "Answers a question of an agent and resumes the run",
      takes: schemas.answer,
      act: (given) => say(given, (run) => answerTo(run, given.body)),
    }),
    ...(["accept", "allow"] as const).map((how) =>
      acting({
        ...toRun(how),
        says:
          how === "accept"
            ? "Accepts work that could not be proved, and resumes the run"
            : "Lets a feature change the protected tests that it names, and resumes the run",
        takes: schemas.decide,
        act: (given) => say(given, (run, by) => decision(run, given.body.feature, given.body.tree, by, { how })),
      }),
    ),
  ];
}

/** The owner's token is the person of this machine. Any other, which a program may have, answers under its own name. */
const signedBy = async ({ name }: Person, root: string): Promise<string> =>
  name === ownerName ? personHere(root) : `${name}, over loop serve`;

function steering(desk: Desk): readonly Route[] {
  const stopping = <Body>(
    name: "pause" | "cancel",
    { says, takes, fact }: { says: string; takes: z.ZodType<Body>; fact: (body: Body) => SignalFact },
  ): Route =>
    acting<Body>({
      path: `${ofRun}/${name}`,
      says,
      takes,
      gives: schemas.done,
      async act(given) {
        const { engine, run } = await placeOf(desk, given);
        const { now } = (await engine.read(run)).story.run;
        const isOver = now.is === "stopped" || (name === "pause" && now.is === "resting");
        if (isOver) return { run, taken: true, resumed: false, note: `The run is not under way: ${now.outcome.kind}.` };
        const { taken } = await engine.send(run, fact(given.body));
        return { run, taken, resumed: false, note: null };
      },
    });
  return [
    stopping("pause", {
      says: "Pauses the run",
      takes: schemas.nothing,
      fact: () => ({ type: "pause-requested", by: "person" }),
    }),
    stopping("cancel", {
      says: "Cancels the run for good, and takes its unproved work out of the folder, into quarantine",
      takes: schemas.cancel,
      fact: ({ keep }) => ({ type: "cancel-requested", ...(keep === true ? {} : { undo: true }) }),
    }),
    acting({
      path: `${ofRun}/continue`,
      says: "Resumes a paused or interrupted run, with other limits if any are given",
      takes: schemas.goOn,
      gives: schemas.done,
      async act(given) {
        const { run, root } = await placeOf(desk, given);
        const { limits = {} } = given.body;
        const driven = await desk.drive({ root, job: { do: "resume", run, limits } });
        return { run: driven, taken: true, resumed: true, note: null };
      },
    }),
  ];
}

/** The answer is on record. If the run cannot go on now, that is said, and it can be resumed later. */
async function resumed(
  desk: Desk,
  root: string,
  engine: Engine,
  run: string,
): Promise<{ resumed: boolean; note: string | null }> {
  try {
    await desk.drive({ root, job: { do: "resume", run, limits: null } });
    return { resumed: true, note: null };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (await isDrivenElsewhere(engine, run, error)) return { resumed: false, note: null };
    return { resumed: false, note: `${error.what} ${error.why} Next: ${error.next}` };
  }
}
