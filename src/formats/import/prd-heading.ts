// Which headings of a PRD name a feature: `### F001: Title`, `## US-001 Title`, `### [T-001] Title`, `### Feature 3: Title`.

export type FeatureHeading = { readonly id: string; readonly name: string };

const bracketed = /^\[([A-Za-z]{1,12}[-_ ]?\d{1,9}(?:\.\d{1,9})*)\]\s*[:.\-–—]?\s*(.*)$/;
// Without brackets or a colon only prefixes commonly used for features count: UTF-8 is not one.
const known =
  /^((?:F|R|B|E|T|S|FR|NFR|US|REQ|TASK|STORY|FEAT|FEATURE|BUG|EPIC)[-_]?\d{1,9}(?:\.\d{1,9})*)(?:\s*[:.)\-–—]\s*|\s+|$)(.*)$/;
const parted = /^([A-Z]{1,12}-?\d{1,9}(?:\.\d{1,9})*)\s*(?:[:)–—]|-\s)\s*(.*)$/;
const inWords = /^((?:feature|user story|story|task|requirement)\s+#?\d{1,9}(?:\.\d{1,9})*)\s*[:.)\-–—]\s*(\S.*)$/i;

export function featureHeading(title: string): FeatureHeading | null {
  const plain = title.replace(/^(?:✅|☑️?|\[[ xX]\])\s*/u, "").replace(/^\*\*(.*)\*\*$/, "$1");
  for (const pattern of [bracketed, known, parted, inWords]) {
    const [, id, name] = pattern.exec(plain) ?? [];
    if (id !== undefined) return { id: id.replace(/\s+/g, " "), name: (name ?? "").trim() };
  }
  return null;
}
