// The types of the sweeps that the tests use.
export type Point = { call: string; nth: number; about: string };
export type Sweep = { dir: string; calls: readonly Point[]; remove(): void };
export type Found = { trials: number; injected: number; violations: string[] };
export type Tell = (done: number, of: number, violations: readonly string[]) => void;
export function prepare(features: number): Promise<Sweep>;
export function crashOnce(sweep: Sweep, points: number, phase?: number): Point[][];
export function crashIndex(sweep: Sweep): Point[][];
export function crashChain(sweep: Sweep, trials: number, kills?: number): Point[][];
export function crashRecovery(sweep: Sweep, trials: number): Point[][];
export function runTrials(sweep: Sweep, jobs: readonly Point[][], name: string, tell: Tell): Promise<Found>;
export type Refusal = Point & { error: string; onwards: boolean };
export function ioSpread(sweep: Sweep, points: number): Refusal[];
export function ioIndex(sweep: Sweep): Refusal[];
export function runIo(sweep: Sweep, jobs: readonly Refusal[], tell: Tell): Promise<Found>;
