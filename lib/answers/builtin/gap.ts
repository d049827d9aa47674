import { namedIn } from "@/lib/evidence/questions/names";
import { subjectOfTitle } from "@/lib/evidence/questions/passage";
import { GENERIC, type Question } from "@/lib/evidence/questions/question";
import { termsOf } from "@/lib/text/analyzer";
import type { DelimitedSource } from "@/lib/text/delimiters";
import type { Language, LatinLanguage } from "@/lib/text/languages";
import { shorten } from "@/lib/text/shorten";
import { onOneLine } from "./compose";
import type { Candidate, Corpus } from "./corpus";
import type { LikelyAnswer } from "./likely";
import replies from "./replies.json" with { type: "json" };

/** From this likelihood on, the closest sentence is shown with its passage. */
const CLOSE = 0.35;
const TITLE_CHARACTERS = 120;
const SENTENCE_CHARACTERS = 300;
const MARKER = /\s?\[\d[\d,\s–-]*\]/g;
const SUBJECT_WORDS = 4;
const JOINED = /,| and | or /i;

const REPLY_LANGUAGES = Object.keys(replies.noAnswer) as LatinLanguage[];

/** Says which languages the sources are in; null if they are in the question's, or if that can't be told. */
function describeLanguages({ languages }: Corpus, asked: Language | null): string | null {
  if (asked === null || asked === "en" || languages.size === 0 || languages.has(asked)) {
    return null;
  }
  const spoken = replyLanguage(asked);
  const namesIn = new Intl.DisplayNames([spoken], { type: "language" });
  const names = [...languages].map((language) => namesIn.of(language) ?? language);
  return replies.otherLanguage[spoken].replace(
    "{languages}",
    new Intl.ListFormat(spoken).format(names),
  );
}

/**
 * Says that the sources don't answer, what they are about if it is something else, and which of them comes closest.
 * `language`: the question's, if that is known.
 */
export function describeGap(
  { question, corpus, likely }: { question: Question; corpus: Corpus; likely: LikelyAnswer | null },
  language: Language | null,
): string {
  const otherLanguage = describeLanguages(corpus, language);
  if (otherLanguage !== null) {
    return otherLanguage;
  }
  const spoken = replyLanguage(language);
  const related =
    corpus.candidates.find((candidate) => isNamed(question, candidate)) ??
    corpus.candidates.find((candidate) => isRelated(question, candidate));
  const near = likely !== null && likely.likelihood >= CLOSE ? likely.candidate : null;
  const closest =
    near ?? related ?? corpus.candidates.find((candidate) => sharesSubject(question, candidate));
  if (!closest) {
    return replies.noAnswer[spoken];
  }
  const { title } = closest.source;
  const isOther =
    related !== undefined &&
    namedIn(question, closest).size === 0 &&
    !isOneOf(question, subjectOfTitle(title));
  const lead =
    isOther && near === null && spoken === "en"
      ? describeSubjects(question, title)
      : replies.noAnswer[spoken];
  return [lead, "", ...pointTo(closest.source, spoken), ...(near ? [quoteOf(near)] : [])].join(
    "\n",
  );
}

/** Without a marker of its own: it isn't an answer. */
function quoteOf({ quote: { lead, text } }: Candidate): string {
  const said = onOneLine(lead === null ? text : `${lead} ${text}`).replace(MARKER, "");
  return `  > ${shorten(said, SENTENCE_CHARACTERS)}`;
}

function pointTo({ title, number }: DelimitedSource, spoken: LatinLanguage): string[] {
  return [replies.closest[spoken], `- ${plain(title)} [${number}]`];
}

/** English, if there is no reply in a language. */
export function replyLanguage(language: Language | null): LatinLanguage {
  return REPLY_LANGUAGES.find((known) => known === language) ?? "en";
}

/** Whether a document is about the whole subject. */
function isNamed(question: Question, candidate: Candidate): boolean {
  const named = namedIn(question, candidate).size;
  return named > 0 && named === question.subject.size;
}

/** Whether a passage has most words of the question's subject, and more than one. */
function sharesSubject({ subject }: Question, { own, title }: Candidate): boolean {
  const shared = [...subject.values()].filter((forms) =>
    [...forms].some((form) => own.has(form) || title.has(form)),
  );
  return shared.length > 1 && 2 * shared.length > subject.size;
}

/** Whether a joined title has the question's subject as one of its parts: "Thrombocythemia and Thrombocytosis". */
function isOneOf({ subject }: Question, title: string): boolean {
  const parts = title.split(JOINED).map((part) => termsOf(part));
  return parts.some(
    (part) => part.length === subject.size && part.every((term) => subject.has(term)),
  );
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
  return shorten(onOneLine(title).replace(/[[\]]/g, "").trim(), TITLE_CHARACTERS);
}
