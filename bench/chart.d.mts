// The types of the drawing functions that the tests use.
export type Axis = { label: string; log?: boolean };
export type Line = { name: string; points: [number, number][] };
export type Group = { name: string; bars: { name: string; value: number }[] };
export function lineChart(chart: { title: string; x: Axis; y: Axis; lines: Line[] }): string;
export function barChart(chart: { title: string; unit: string; groups: Group[] }): string;
