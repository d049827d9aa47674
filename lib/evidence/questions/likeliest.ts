import { wordsOf } from "@/lib/text/analyzer";
import { isCommonWord } from "@/lib/text/common-words";
import type { DelimitedSource } from "@/lib/text/delimiters";
import { isLatin, type Language, type LatinLanguage, languageOf } from "@/lib/text/languages";
import {
  type Candidate,
  type Corpus,
  comparisonFeatures,
  describeCandidates,
  isQuotable,
  readCorpus,
} from "./candidates";
import { asksForPlace, readDocumentQuestion } from "./document-question";
import {
  asksForSection,
  defines,
  LABEL_SEPARATOR,
  probabilityOf,
  type ReadQuestion,
  readQuestion,
  sumOf,
} from "./likelihood";
import fitted from "./weights.json" with { type: "json" };

/** What the sources say about a question. */
export interface Found {
  /** The sentences that answer it, in order; none if that isn't likely enough. */
  answers: readonly Candidate[];
  /** The sentences of one section that come closest, in order. */
  closest: readonly Candidate[];
}

const CLOSEST_SENTENCES = 3;
/** From this likelihood on, at most 5% of the sentences fail to answer questions that the fit hasn't seen. */
export const LIKELY = 0.9;
/** A sentence that is less likely isn't worth pointing to. */
const MIN_CLOSE = 0.1;
const NAME = /^\p{L}[\p{L}\p{N}-]{3,}$/u;

/** `own`: the question's language, if that can be told. Sources in another language aren't read. */
export function readInLanguage(
  sources: readonly DelimitedSource[],
  own: Language | null,
): Corpus & { language: LatinLanguage } {
  const languages = new Set(sources.flatMap(({ text }) => languageOf(text) ?? []));
  const [only = null] = languages.size === 1 ? languages : [];
  const read = own === null ? only : languages.has(own) ? own : null;
  const language = read !== null && isLatin(read) ? read : "en";
  return { ...readCorpus(sources, language), language };
}

/**
 * The section that a question asks for, or the sentence that very likely answers: one regression chooses it and another
 * one tells how likely it does.
 */
export function findAnswer(
  text: string,
  { language, ...corpus }: ReturnType<typeof readInLanguage>,
): Found {
  const question = readQuestion(text, language);
  const section = sectionAskedFor(text, question, corpus.candidates);
  if (section.length > 0) {
    return { answers: section, closest: section.slice(0, CLOSEST_SENTENCES) };
  }
  const described = describeCandidates(question, corpus);
  const sums = described.map(({ features }) => sumOf(features, fitted.choose));
  const at = sums.indexOf(Math.max(...sums));
  const best = described[at];
  if (best === undefined) {
    return { answers: [], closest: [] };
  }
  const { candidate } = best;
  const closest = described
    .map(({ candidate: other }, index) => ({ other, sum: sums[index] ?? 0 }))
    .filter(({ other }) => isBeside(other, candidate))
    .toSorted((one, two) => two.sum - one.sum)
    .slice(0, CLOSEST_SENTENCES)
    .map(({ other }) => other)
    .toSorted((one, two) => one.units[0].index - two.units[0].index);
  const features = { ...best.features, ...comparisonFeatures(sums, at) };
  const likelihood = probabilityOf(features, fitted.answer);
  const isLikely = likelihood >= LIKELY && features.whole === 1 && !isAside(question, candidate);
  const isNamed = language !== "en" || !namesUnknown(text, corpus.candidates);
  const isClose = likelihood >= MIN_CLOSE && isNamed;
  return {
    answers: isLikely ? [candidate] : [],
    closest: isClose ? closest : [],
  };
}

/** Whether a question names something, such as a drug, that no source mentions: a word that isn't common English. */
function namesUnknown(text: string, candidates: readonly Candidate[]): boolean {
  const names = wordsOf(text).filter(
    ({ word }) => NAME.test(word) && !isCommonWord(word.toLowerCase()),
  );
  return names.some(({ term }) =>
    candidates.every(
      ({ own, label: { title, headings } }) =>
        !own.has(term) && !title.has(term) && !headings.has(term),
    ),
  );
}

/** Whether a question only asks what the document's subject is, and a sentence says something else about it. */
function isAside(question: ReadQuestion, candidate: Candidate): boolean {
  const { title } = candidate.label;
  const asksSubject = question.isDefinition && question.terms.every((term) => title.has(term));
  return asksSubject && !defines(question, candidate);
}

/** The sentences of the section that a question asks for; from a document's opening, only the definition. */
function sectionAskedFor(
  text: string,
  question: ReadQuestion,
  candidates: readonly Candidate[],
): Candidate[] {
  const place = readDocumentQuestion(text);
  const first = candidates.find((candidate) =>
    place ? asksForPlace(place, labelOf(candidate)) : asksForSection(question, candidate.label),
  );
  if (!first) {
    return [];
  }
  const section = candidates.filter(
    (candidate) =>
      isQuotable(candidate) &&
      (place?.heading === null
        ? candidate.source.title === first.source.title
        : isBeside(candidate, first)),
  );
  if (place || first.label.parts.length > 0) {
    return section;
  }
  const definition = section.find((candidate) => defines(question, candidate));
  return definition ? [definition] : [];
}

function labelOf({ source: { title }, units: [{ heading }] }: Candidate): string {
  return heading === null ? title : title + LABEL_SEPARATOR + heading;
}

function isBeside(one: Candidate, other: Candidate): boolean {
  return one.source === other.source && one.units[0].heading === other.units[0].heading;
}
