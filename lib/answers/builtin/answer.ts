import { isForDefinition } from "@/lib/evidence/questions/definition";
import { languageOfQuestion } from "@/lib/evidence/questions/gloss";
import { type Question, readQuestion } from "@/lib/evidence/questions/question";
import { type DelimitedSource, RETRACTED_LABEL } from "@/lib/text/delimiters";
import { isLatin, type Language, type LatinLanguage, languageOf } from "@/lib/text/languages";
import { compose } from "./compose";
import { type Candidate, type Corpus, readCorpus } from "./corpus";
import { describeGap, replyLanguage } from "./gap";
import { type LikelyAnswer, likeliestOf } from "./likely";
import { sentencesAtPlace } from "./place";
import { isQuotable, pointsBack } from "./quotable";
import replies from "./replies.json" with { type: "json" };
import { type ScoredCandidate, scoreAll } from "./score";
import { select } from "./select";
import { isCrisis, urgencyIn, urgentSentences, withWarnings } from "./urgent";

/** What the sources were searched for. */
export interface Asked {
  question: string;
  /** Whether it needs earlier turns to be understood, and was searched without them. */
  dependsOnConversation: boolean;
  /** Of the documents that were searched, if nothing was found. */
  languages?: readonly Language[];
}

/** The sources of a question, as the rules and the regressions read them. */
interface Sources {
  question: Question;
  corpus: Corpus;
  scored: readonly ScoredCandidate[];
  likely: LikelyAnswer | null;
}

/** Minimum likelihood to quote a sentence that the rules didn't select. */
const MIN_LIKELIHOOD = 0.72;
/** Below these, what the rules select isn't quoted: `agreed` if the likeliest sentence is among it, `other` if not. */
const DOUBTFUL = { agreed: 0.4, other: 0.6 };
/** At most this many sentences that the rules selected are replaced by a likelier one; at least this many are trusted. */
const MAX_REPLACED = 2;
const MIN_TRUSTED = 4;
/** "What does the prostate do?": a definition may not answer it. */
const ASKS_FUNCTION = /^\W*what do(?:es)?\b[^?.!]*\bdo\W*$/i;
const SMALL_TALK = replies.smallTalk.map(({ question, answer }) => ({
  question: new RegExp(question, "i"),
  answer,
}));
const SMALL_TALK_CHARACTERS = 120;
const INVISIBLE = /\p{Cf}+/gu;

/** Whether the built-in model replies to a line by itself, whatever the sources say: a greeting, thanks or a sum. */
export function isSmallTalk(written: string): boolean {
  const line = written.replace(INVISIBLE, "");
  return urgencyIn(line) === null && smallTalkReply(line) !== null;
}

/** Quotes the sources' answer to a question, or says why there is none. Warns of a retracted source that it cites. */
export function answerFrom(sources: readonly DelimitedSource[], written: Asked): string {
  // The rules look for words, which soft hyphens and characters without a width would split.
  const asked = { ...written, question: written.question.replace(INVISIBLE, "") };
  const retracted = sources.filter(({ title }) => title.startsWith(RETRACTED_LABEL));
  if (retracted.length === 0) {
    return quoteFrom(sources, asked);
  }
  // The label says nothing about the subject.
  const unlabeled = sources.map((source) =>
    retracted.includes(source)
      ? { ...source, title: source.title.slice(RETRACTED_LABEL.length) }
      : source,
  );
  const answer = quoteFrom(unlabeled, asked);
  const isCited = retracted.some(({ number }) => answer.includes(`[${number}]`));
  return isCited
    ? `${answer}\n\n${replies.retracted[replyLanguage(languageOf(asked.question))]}`
    : answer;
}

function quoteFrom(written: readonly DelimitedSource[], asked: Asked): string {
  const urgency = urgencyIn(asked.question);
  if (urgency === null) {
    const reply = smallTalkReply(asked.question);
    if (reply !== null || asked.dependsOnConversation) {
      return reply ?? replies.dependent;
    }
  }
  const own = urgency ?? languageOfQuestion(asked.question);
  const sources = readSources(written, asked, own);
  if (urgency !== null) {
    const isAtRisk = isCrisis(asked.question, urgency);
    const call = (isAtRisk ? replies.crisis : replies.emergency)[urgency];
    return answerEmergency(sources, { language: urgency, call, isCrisis: isAtRisk });
  }
  const chosen = choose(sources, []);
  return chosen.length > 0 ? compose(chosen) : describeGap(sources, own);
}

function readSources(
  written: readonly DelimitedSource[],
  asked: Asked,
  own: Language | null,
): Sources {
  const language = languageToRead(own, written);
  const question = readQuestion(asked.question, language);
  const read = readCorpus(written, language);
  const corpus = { ...read, languages: new Set([...read.languages, ...(asked.languages ?? [])]) };
  const scored = scoreAll(question, corpus);
  // The regressions were fitted to English questions.
  const isEnglish = language === "en" && (own ?? "en") === "en";
  return {
    question,
    corpus,
    scored,
    likely: isEnglish ? likeliestOf(question, corpus, scored) : null,
  };
}

/** Whom to call, from the sources if they say so, and what else answers. */
function answerEmergency(
  sources: Sources,
  emergency: { language: LatinLanguage; call: string; isCrisis: boolean },
): string {
  const { question, corpus } = sources;
  const { language, call } = emergency;
  const urgent = urgentSentences(question, corpus, language);
  if (urgent.length === 0) {
    // Whoever speaks of ending their life doesn't ask for a source.
    return corpus.candidates.length > 0 && !emergency.isCrisis
      ? [call, describeGap({ ...sources, likely: null }, language)].join(" ")
      : call;
  }
  const isAsking = language !== "en" || ASKS.test(question.text);
  const chosen = isAsking ? choose(sources, urgent) : [];
  return [
    ...(language === "en" && isUnheeded(question, urgent) ? [call] : []),
    compose(urgent),
    ...(chosen.length > 0 ? [compose(chosen)] : []),
  ].join("\n\n");
}

/** "I just took 30 Tylenol" asks for nothing but help. */
const ASKS =
  /\?|\b(?:what|how|when|which|where|who|why|should|can|could|is|are|do|does)\b(?!['’]t)/i;
const TAKEN = /\b(?:took|taken|swallowed|ate|drank|ingested|injected|gave|given)\b/i;
const CALL = /\b(?:call|phone|dial|911|999|112|ambulance)\b|^\W*(?:contact|go to)\b/i;
const TOO_MUCH = /\b(?:too (?:much|many)|overdos\w*|excess\w*|more than|poison\w*)\b/i;

/** Whether the sources don't say whom to call, or say it only for other cases than an overdose. */
function isUnheeded({ text }: Question, urgent: readonly Candidate[]): boolean {
  const isCalled = urgent.some((unit) => CALL.test(unit.text));
  return !isCalled || (TAKEN.test(text) && !urgent.some((unit) => TOO_MUCH.test(unit.text)));
}

/** What to quote besides the sentences for an emergency: the place in a document that is asked for, or what answers. */
function choose(sources: Sources, urgent: readonly Candidate[]): Candidate[] {
  const { question, corpus, scored } = sources;
  if (urgent.length > 0) {
    return select(question, corpus, scored).filter((unit) => !urgent.includes(unit));
  }
  const atPlace = sentencesAtPlace(question, corpus);
  return atPlace.length > 0 ? atPlace : withWarnings(selectLikely(sources), corpus);
}

/** What the rules select, unless that is doubtful; if they select nothing or little, the likely answer. */
function selectLikely({ question, corpus, scored, likely }: Sources): Candidate[] {
  const selected = select(question, corpus, scored);
  if (likely === null) {
    return selected;
  }
  const { candidate, likelihood } = likely;
  const isAgreed = selected.includes(candidate);
  const isLittle = selected.length <= (question.isComparison ? 0 : MAX_REPLACED);
  if (!isAgreed && isLittle && likelihood >= MIN_LIKELIHOOD) {
    return withContext(question, candidate, corpus);
  }
  const isDefined = isForDefinition(question) && !ASKS_FUNCTION.test(question.text);
  const isSettled = isDefined || selected.length >= MIN_TRUSTED;
  return !isSettled && likelihood < (isAgreed ? DOUBTFUL.agreed : DOUBTFUL.other) ? [] : selected;
}

/** "It is not usually painful": with the sentence before it, which says what. */
function withContext(
  question: Question,
  candidate: Candidate,
  { candidates }: Corpus,
): Candidate[] {
  if (!pointsBack(candidate)) {
    return [candidate];
  }
  const { source, heading, index } = candidate;
  const before = candidates.filter(
    (each) =>
      each.source === source &&
      each.index === index - 1 &&
      each.heading === heading &&
      each.list === null &&
      isQuotable(each, question),
  );
  return [...before, candidate];
}

/** The question's language if a source has it; if that can't be told, the one that all sources have. */
function languageToRead(own: Language | null, sources: readonly DelimitedSource[]): LatinLanguage {
  const languages = new Set(sources.flatMap(({ text }) => languageOf(text) ?? []));
  const [only = null] = languages.size === 1 ? languages : [];
  const read = own === null ? only : languages.has(own) ? own : null;
  return read !== null && isLatin(read) ? read : "en";
}

/** The answer to a greeting, to thanks, or to a request that no source can answer. */
function smallTalkReply(text: string): string | null {
  if (text.length > SMALL_TALK_CHARACTERS) {
    return null;
  }
  const line = text
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .replace(/^[\s¡¿"“«]+|[\s.!?,"”»]+$/gu, "");
  const replyTo = (said: string) =>
    SMALL_TALK.find(({ question }) => question.test(said))?.answer ?? null;
  const [first = null, ...others] = line.split(/[\s,.!?;]*[,.!?;]\s*/).map(replyTo);
  return replyTo(line) ?? (others.includes(null) ? null : first);
}
