// A simulated world for authors of engines and adapters: everything the loop needs, in memory, from one seed.
export { type AnswerOptions, Answers } from "./answers.ts";
export { checkSeed } from "./check-seed.ts";
export { WorldClock } from "./clock.ts";
export { anyContract, anyFeature, contractOf, feature, looseLimits } from "./contracts.ts";
export { Faults } from "./faults.ts";
export { worldDisk, worldFiles } from "./files.ts";
export { Person, type PersonOptions } from "./person.ts";
export { anySignal, decisions, type Played, type PlayOptions, play, playOn, type Step } from "./play.ts";
export { type ProverSurroundings, worldProver } from "./prover.ts";
export { type Choices, chance, pick, seeded, taped } from "./random.ts";
export { redIn, redLines, testLine } from "./red-lines.ts";
export { type Commit, Repository } from "./repository.ts";
export { type SessionRecord, type SessionSurroundings, worldSessions } from "./sessions.ts";
export { type Tree, Trees } from "./trees.ts";
export { worldWorkspace } from "./workspace.ts";
export { SimulatedWorld, type WorldOptions } from "./world.ts";
