import { LABEL_SEPARATOR } from "./likelihood";

/** A question about a document or one of its parts, such as "What does “Ward handbook” say about visiting hours?". */
export interface DocumentQuestion {
  /** May be cut, with "…" at its end. */
  title: string;
  /** Null for the document as a whole. */
  heading: string | null;
}

const SHAPE = /^what does ["“]([^"“”]{1,200})["”] say(?: about ([^"“”?]{1,200}))?[\s?]*$/i;
/** Such as "2.1 Dose" or "IV. Dose". */
const NUMBER = /^(?:\d+(?:\.\d+)*|[IVX]+)[.)]?\s+/;

export function readDocumentQuestion(text: string): DocumentQuestion | null {
  const [, title, heading = null] = SHAPE.exec(text.trim()) ?? [];
  return title === undefined ? null : { title, heading };
}

/** Whether the question is about what has this label: a document's title and the headings in it, outermost first. */
export function asksForPlace({ title, heading }: DocumentQuestion, label: string): boolean {
  const [document = "", ...headings] = label.split(LABEL_SEPARATOR).map(toKey);
  const asked = toKey(title);
  const isDocument = asked.endsWith("…")
    ? document.startsWith(asked.slice(0, -1))
    : document === asked;
  return isDocument && (heading === null || headings.includes(toKey(heading)));
}

function toKey(name: string): string {
  return name.replace(NUMBER, "").replace(/[:.]$/, "").replace(/\s+/g, " ").trim().toLowerCase();
}
