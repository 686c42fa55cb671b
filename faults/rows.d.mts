// The types of the rows that the tests use.
export type Row = { id: string; fault: string; ends: string; by?: string[]; sweep?: string; not?: string };
export const groups: readonly { group: string; rows: readonly Row[] }[];
