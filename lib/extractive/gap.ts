import { namedIn } from "@/lib/questions/fit";
import { subjectOfTitle } from "@/lib/questions/passage";
import { GENERIC, type Question } from "@/lib/questions/question";
import { termsOf } from "@/lib/text/analyzer";
import { onOneLine } from "./compose";
import type { Candidate, Corpus } from "./corpus";
import replies from "./replies.json" with { type: "json" };

const TITLE_CHARACTERS = 120;
const SUBJECT_WORDS = 8;

/** Says that the sources don't answer, what they are about if it is something else, and which of them comes closest. */
export function describeGap(question: Question, corpus: Corpus): string {
  const related = corpus.candidates.find((candidate) => isRelated(question, candidate));
  if (!related) {
    return replies.noAnswer;
  }
  const { title, number } = related.source;
  const isOther = namedIn(question, related).size === 0;
  const lead = isOther
    ? `The sources are about ${plain(subjectOfTitle(title))}; your question is about ${subjectOf(question)}.`
    : replies.noAnswer;
  return `${lead}\n\nClosest passage:\n- ${plain(title)} [${number}]`;
}

/** Whether a document's name has a word of the question's subject. */
function isRelated({ subject, context }: Question, { names }: Candidate): boolean {
  return [...subject, ...context].some(
    ([term, forms]) =>
      !GENERIC.has(term) &&
      !/^\d/.test(term) &&
      names.some((name) => [...name].some((other) => forms.has(other))),
  );
}

function subjectOf({ text, subject }: Question): string {
  const words = text.split(/\s+/).filter((word) => termsOf(word).some((term) => subject.has(term)));
  return plain(words.slice(0, SUBJECT_WORDS).join(" ")).replace(/^\W+|[\s.,;:?!]+$/gu, "");
}

/** A title on one line, without what would read as a marker. */
function plain(title: string): string {
  return onOneLine(title).replace(/[[\]]/g, "").slice(0, TITLE_CHARACTERS).trim();
}
