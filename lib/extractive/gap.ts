import { namedIn } from "@/lib/questions/fit";
import { subjectOfTitle } from "@/lib/questions/passage";
import { GENERIC, type Question } from "@/lib/questions/question";
import { termsOf } from "@/lib/text/analyzer";
import { type Language, languageOf } from "@/lib/text/languages";
import { onOneLine } from "./compose";
import type { Candidate, Corpus } from "./corpus";
import replies from "./replies.json" with { type: "json" };

const TITLE_CHARACTERS = 120;
const SUBJECT_WORDS = 4;

/** Says which languages the sources are in; null if they are in the question's, or if that can't be told. */
function describeLanguages({ text }: Question, { candidates }: Corpus): string | null {
  const asked = languageOf(text);
  const texts = [...new Set(candidates.map(({ source }) => source.text))];
  const languages = new Set<Language>(texts.flatMap((source) => languageOf(source) ?? []));
  if (asked === null || asked === "en" || languages.size === 0 || languages.has(asked)) {
    return null;
  }
  const template = Object.entries(replies.otherLanguage).find(([language]) => language === asked);
  const [spoken, reply] = template ?? (["en", replies.otherLanguage.en] as const);
  const namesIn = new Intl.DisplayNames([spoken], { type: "language" });
  const names = [...languages].map((language) => namesIn.of(language) ?? language);
  return reply.replace("{languages}", new Intl.ListFormat(spoken).format(names));
}

/** Says that the sources don't answer, what they are about if it is something else, and which of them comes closest. */
export function describeGap(question: Question, corpus: Corpus): string {
  const otherLanguage = describeLanguages(question, corpus);
  if (otherLanguage !== null) {
    return otherLanguage;
  }
  const related = corpus.candidates.find((candidate) => isRelated(question, candidate));
  if (!related) {
    return replies.noAnswer;
  }
  const { title, number } = related.source;
  const isOther = namedIn(question, related).size === 0;
  const lead = isOther ? describeSubjects(question, title) : replies.noAnswer;
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

function describeSubjects(question: Question, title: string): string {
  const asked = subjectOf(question);
  const lead = `The sources are about ${plain(subjectOfTitle(title))}`;
  return asked === null
    ? `${lead}, and do not answer this question.`
    : `${lead}; your question is about ${asked}.`;
}

/** The subject as the question writes it; null if its words don't stand together. */
function subjectOf({ text, subject }: Question): string | null {
  const words = text.split(/\s+/);
  const isSubject = (word = "") => termsOf(word).some((term) => subject.has(term));
  const first = words.findIndex(isSubject);
  const last = words.findLastIndex(isSubject);
  const phrase = words.slice(first, last + 1);
  return phrase.length <= SUBJECT_WORDS && phrase.every(isSubject)
    ? plain(phrase.join(" ")).replace(/^\W+|[\s.,;:?!]+$/gu, "") || null
    : null;
}

/** A title on one line, without what would read as a marker. */
function plain(title: string): string {
  return onOneLine(title).replace(/[[\]]/g, "").slice(0, TITLE_CHARACTERS).trim();
}
