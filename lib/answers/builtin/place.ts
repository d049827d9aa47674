import { asksForPlace, readDocumentQuestion } from "@/lib/evidence/questions/document-question";
import type { Question } from "@/lib/evidence/questions/question";
import type { Candidate, Corpus } from "./corpus";
import { isQuotable } from "./quotable";
import { HEADING_SEPARATOR } from "./units";

const UNITS = 5;

/** The first sentences of the document or the part of it that a question names; none for any other question. */
export function sentencesAtPlace(question: Question, { candidates }: Corpus): Candidate[] {
  const place = readDocumentQuestion(question.text);
  return place
    ? candidates
        .filter((candidate) => asksForPlace(place, labelOf(candidate)))
        .filter((candidate) => isQuotable(candidate, question))
        .slice(0, UNITS)
    : [];
}

/** The document's title and the headings above a unit. */
function labelOf({ source, heading }: Candidate): string {
  return heading === null ? source.title : `${source.title}${HEADING_SEPARATOR}${heading}`;
}
