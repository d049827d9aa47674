import { yieldIfLong } from "@/lib/event-loop";
import type { AskedQuestion } from "@/lib/evidence/questions/asked-question";
import { asksForPlace, readDocumentQuestion } from "@/lib/evidence/questions/document-question";
import { answerFeatures, matchesOf, probabilityOf } from "@/lib/evidence/questions/features";
import { addressesRelation, isAboutSubject, meetsConstraints } from "@/lib/evidence/questions/fit";
import { keepsLabels } from "@/lib/evidence/questions/kinds";
import { type ReadPassage, readPassage } from "@/lib/evidence/questions/passage";
import type { Question } from "@/lib/evidence/questions/question";
import { hasAny } from "@/lib/evidence/questions/terms";
import { isLatin, type LatinLanguage, languageOf } from "@/lib/text/languages";
import weights from "./answered-weights.json" with { type: "json" };
import type { Answered, Verdict } from "./verdict/judged";

/** A cited part of the answer with the titles and headings of its sources. */
export interface AnsweredClaim {
  text: string;
  verdict: Verdict;
  labels: readonly string[];
}

/** Longer answers address their question early. */
const MAX_CLAIMS = 40;
/** Minimum likelihoods for `yes` and for `partly` when the rules don't recognize an answer. */
const LIKELY = 0.5;
const POSSIBLE = 0.2;
/** Share of the subject that a sentence may lack if no known relation is asked about. */
const MAX_MISSING_SUBJECT = 0.34;
const RANKS: readonly Answered[] = ["no", "partly", "yes"];

/**
 * Whether the cited sentences address the question: its subject, what it asks about it, and its constraints. In English,
 * a sentence that the rules don't know as an answer may be a likely one. `unknown` in languages that the rules don't
 * know, if the two are in different ones, and without a subject to compare with.
 */
export async function answeredBy(
  question: AskedQuestion,
  claims: readonly AnsweredClaim[],
): Promise<Answered> {
  const language = languageInCommon(question, claims);
  const read = language && question.readIn(language);
  if (!read || read.subject.size + read.context.size === 0) {
    return "unknown";
  }
  const place = readDocumentQuestion(question.text);
  let best = 0;
  for (const claim of claims.slice(0, MAX_CLAIMS)) {
    for (const label of claim.labels) {
      await yieldIfLong();
      // What the document says there is the answer, whatever words it uses.
      const isAtPlace = place && asksForPlace(place, label) && claim.verdict === "supported";
      best = Math.max(
        best,
        isAtPlace ? RANKS.indexOf("yes") : rankOf(read, claim, { label, language }),
      );
    }
  }
  return RANKS[best] ?? "unknown";
}

/** English if neither is long enough to tell; null for two languages, and for one that the rules don't know. */
function languageInCommon(
  question: AskedQuestion,
  claims: readonly AnsweredClaim[],
): LatinLanguage | null {
  const said = claims.map(({ text }) => text).join("\n");
  const languages = new Set(
    [question.language, languageOf(said)].flatMap((language) => language ?? []),
  );
  const [language = "en"] = languages;
  return languages.size <= 1 && isLatin(language) ? language : null;
}

/** The place in RANKS. */
function rankOf(
  question: Question,
  { text, verdict }: AnsweredClaim,
  { label, language }: { label: string; language: LatinLanguage },
): number {
  // An answer that only points to a passage names it and says nothing.
  const isSaid = (verdict === "supported" || verdict === "partial") && text.trim() !== label;
  if (!isSaid) {
    return 0;
  }
  const passage = readPassage({ title: label, text }, language);
  const fits = [addressesRelation(question, passage), meetsConstraints(question, passage)];
  const isAbout = isAboutSubject(question, passage);
  const isSupported = verdict === "supported";
  if (isAbout && isSupported && fits.every(Boolean)) {
    return 2;
  }
  const likelihood = language === "en" ? likelihoodOf(question, passage) : 0;
  // What the rules read as saying something else of the subject is `partly` at most.
  const isAside = isAbout && question.relations.length > 0 && !fits[0];
  const isLikely = likelihood >= LIKELY && isSupported && !isAside;
  return isLikely ? 2 : Number(likelihood >= POSSIBLE || (isAbout && fits.some(Boolean)));
}

/** From 0 to 1, by a regression on labeled questions: `npm run bench -- answer-weights`. */
function likelihoodOf(question: Question, passage: ReadPassage): number {
  const features = answerFeatures(question, passage, matchesOf(question, passage));
  const isLacking =
    features.direct_missing > (question.relations.length > 0 ? 0 : MAX_MISSING_SUBJECT);
  const isElsewhere = question.context.size > 0 && !mentionsAny(question.context, passage);
  if (isLacking || isElsewhere || !keepsLabels(question, passage)) {
    return 0;
  }
  return probabilityOf(features, weights);
}

function mentionsAny(
  terms: ReadonlyMap<string, ReadonlySet<string>>,
  { own, context, title, names }: ReadPassage,
): boolean {
  return [...terms.values()].some((forms) =>
    [own, context, title, ...names].some((said) => hasAny(said, forms)),
  );
}
