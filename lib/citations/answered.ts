import { addressesRelation, isAboutSubject, meetsConstraints } from "@/lib/questions/fit";
import { readPassage } from "@/lib/questions/passage";
import { type Question, readQuestion } from "@/lib/questions/question";
import { languageOf } from "@/lib/text/languages";
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
 * `unknown` in other languages than English, and without a subject to compare with.
 */
export function answeredBy(question: string, claims: readonly AnsweredClaim[]): Answered {
  const read = readQuestion(question);
  const isEnglish = [question, ...claims.slice(0, 1).map(({ text }) => text)].every(mayBeEnglish);
  if (!isEnglish || read.subject.size + read.context.size === 0) {
    return "unknown";
  }
  const ranks = claims
    .slice(0, MAX_CLAIMS)
    .flatMap((claim) => claim.labels.map((label) => rankOf(read, claim, label)));
  return RANKS[Math.max(0, ...ranks)] ?? "unknown";
}

function mayBeEnglish(text: string): boolean {
  const language = languageOf(text);
  return language === null || language === "en";
}

/** The place in RANKS. */
function rankOf(question: Question, { text, verdict }: AnsweredClaim, label: string): number {
  const isSaid = verdict === "supported" || verdict === "partial";
  const passage = readPassage({ title: label, text });
  if (!isSaid || !isAboutSubject(question, passage)) {
    return 0;
  }
  const fits = [addressesRelation(question, passage), meetsConstraints(question, passage)];
  const isWhole = verdict === "supported" && fits.every(Boolean);
  return isWhole ? 2 : Number(fits.some(Boolean));
}
