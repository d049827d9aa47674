import { asksForPlace, readDocumentQuestion } from "@/lib/questions/document-question";
import { addressesRelation, isAboutSubject, meetsConstraints } from "@/lib/questions/fit";
import { languageOfQuestion } from "@/lib/questions/gloss";
import { readPassage } from "@/lib/questions/passage";
import { type Question, readQuestion } from "@/lib/questions/question";
import { isLatin, type LatinLanguage, languageOf } from "@/lib/text/languages";
import type { Verdict, Verification } from "./schema";

/** A cited part of the answer with the titles and headings of its sources. */
export interface AnsweredClaim {
  text: string;
  verdict: Verdict;
  labels: readonly string[];
}

type Answered = Verification["answered"];

/** Longer answers address their question early. */
const MAX_CLAIMS = 40;
const RANKS: readonly Answered[] = ["no", "partly", "yes"];

/**
 * Whether the cited sentences address the question: its subject, what it asks about it, and its constraints.
 * `unknown` in languages that the rules don't know, if the two are in different ones, and without a subject to compare
 * with.
 */
export function answeredBy(question: string, claims: readonly AnsweredClaim[]): Answered {
  const language = languageInCommon(question, claims);
  const read = language && readQuestion(question, language);
  if (!read || read.subject.size + read.context.size === 0) {
    return "unknown";
  }
  const place = readDocumentQuestion(question);
  const ranks = claims.slice(0, MAX_CLAIMS).flatMap((claim) =>
    claim.labels.map((label) =>
      // What the document says there is the answer, whatever words it uses.
      place && asksForPlace(place, label) && claim.verdict === "supported"
        ? RANKS.indexOf("yes")
        : rankOf(read, claim, { label, language }),
    ),
  );
  return RANKS[Math.max(0, ...ranks)] ?? "unknown";
}

/** English if neither is long enough to tell; null for two languages, and for one that the rules don't know. */
function languageInCommon(
  question: string,
  claims: readonly AnsweredClaim[],
): LatinLanguage | null {
  const said = claims.map(({ text }) => text).join("\n");
  const languages = new Set(
    [languageOfQuestion(question), languageOf(said)].flatMap((language) => language ?? []),
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
  if (!isAboutSubject(question, passage)) {
    return 0;
  }
  const fits = [addressesRelation(question, passage), meetsConstraints(question, passage)];
  const isWhole = verdict === "supported" && fits.every(Boolean);
  return isWhole ? 2 : Number(fits.some(Boolean));
}
