// What the tests use of the rows.
export type Row = { id: string; fault: string; ends: string; by?: string[]; sweep?: string; not?: string };
export const groups: readonly { group: string; rows: readonly Row[] }[];
