import { findAnswer, readInLanguage } from "@/lib/evidence/questions/likeliest";
import type { DelimitedSource } from "@/lib/text/delimiters";
import { languageOf } from "@/lib/text/languages";
import type { Answered, Verdict } from "./verdict/judged";

/** A cited part of the answer, with the words of each source that support it. */
export interface AnsweredClaim {
  text: string;
  verdict: Verdict;
  quotes: readonly { id: number; text: string | null }[];
}

/** More than retrieval returns by default: reading it would take other requests' time. */
const MAX_CHARACTERS = 50_000;

/**
 * Whether the answer answers its question, where that can be told: `yes` if a supported part rests on what very
 * likely answers in the sources, `partly` if that part is supported in part, `no` if nothing cited is supported,
 * and otherwise `unknown`. `sources` are titled with their headings.
 */
export function answeredBy(
  question: string,
  claims: readonly AnsweredClaim[],
  sources: readonly DelimitedSource[],
): Answered {
  const titles = new Map(sources.map(({ number, title }) => [number, title]));
  // An answer that only points to a passage names it and says nothing.
  const said = claims.filter(
    ({ text, quotes }) => !quotes.some(({ id }) => titles.get(id) === text.trim()),
  );
  const standing = said.filter(({ verdict }) => verdict === "supported" || verdict === "partial");
  if (question.trim() === "" || said.some(({ verdict }) => verdict === "unjudged")) {
    return "unknown";
  }
  if (standing.length === 0) {
    return "no";
  }
  const isAnswering = answeringTest(question, sources);
  const answering = standing.filter(({ quotes }) => quotes.some(isAnswering));
  if (answering.length === 0) {
    return "unknown";
  }
  return answering.some(({ verdict }) => verdict === "supported") ? "yes" : "partly";
}

function answeringTest(question: string, sources: readonly DelimitedSource[]) {
  const length = sources.reduce((sum, { text }) => sum + text.length, 0);
  const { answers } =
    length <= MAX_CHARACTERS
      ? findAnswer(question, readInLanguage(sources, languageOf(question)))
      : { answers: [] };
  return ({ id, text }: AnsweredClaim["quotes"][number]) =>
    text !== null &&
    answers.some(
      ({ source, units }) =>
        source.number === id &&
        units.some((unit) => unit.text.includes(text) || text.includes(unit.text)),
    );
}
