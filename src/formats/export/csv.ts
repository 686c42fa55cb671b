// A table for spreadsheets: one line per feature, following RFC 4180.
import type { FeatureEntry } from "../queue/features-json.ts";

const header = ["id", "name", "status", "priority", "dependencies", "acceptance_criteria", "description"];

export function exportCsv(features: readonly FeatureEntry[]): string {
  const rows = features.map((feature) => [
    feature.id,
    feature.name,
    feature.status,
    String(feature.priority),
    feature.dependencies.join(" "),
    feature.criteria.join("\n"),
    feature.description,
  ]);
  return `${[header, ...rows].map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** A cell that a spreadsheet would treat as a formula gets an apostrophe: text from an agent must not be executed. */
function cell(text: string): string {
  const tame = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame;
}
