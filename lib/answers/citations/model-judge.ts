import * as z from "zod";
import { AppError } from "@/lib/errors";
import type { CitedPassage } from "@/lib/evidence/verdict/conflicts";
import { type Judgement, judge } from "@/lib/evidence/verdict/judge";
import { type Judged, VERDICT_VALUES, type Verdict } from "@/lib/evidence/verdict/judged";
import type { Quote } from "@/lib/evidence/verdict/quotes";
import { judgedOf, VERDICT_RANKS } from "@/lib/evidence/verdict/rules-judge";
import type { ChatMessage } from "@/lib/models/schema";
import { withoutUnasserted } from "@/lib/text/unasserted";
import { MAX_PASSAGES, verifierMessages } from "./model-prompt";
import { nonceFor } from "./nonce";

export type Ask = (messages: ChatMessage[]) => Promise<string>;

/** A model's judgement of a claim, for all passages together and each alone. */
export interface ModelJudgement {
  combined: Judged;
  /** Quote offsets are UTF-16 offsets into the passage. */
  bySource: ReadonlyMap<number, Judgement>;
}

/**
 * Asks a model once whether passages support a claim. A source's verdict counts only if the model quotes words
 * that the passage contains, or rules find supporting words. Sources without such words, sources the model
 * omits, and sources beyond MAX_PASSAGES are judged by rules. Throws upstream_error if the answer isn't a
 * judgement, and whatever `ask` throws.
 */
export async function judgeByModel(
  claim: string,
  shownAs: readonly CitedPassage[],
  ask: Ask,
): Promise<ModelJudgement> {
  // Every offset is kept, so quotes are at the same places of the passages as they are shown.
  const passages = shownAs.map((each) => ({ ...each, text: withoutUnasserted(each.text) }));
  const text = await ask(verifierMessages(claim, passages, nonceFor([claim, passages])));
  const answer = readModelAnswer(text);
  const shown = passages.slice(0, MAX_PASSAGES);
  const verdicts = answer && verdictsOf(answer, shown);
  if (!answer || !verdicts) {
    throw new AppError("upstream_error", "The verifier's answer was no judgement.");
  }
  const bySource = new Map(
    passages.map((passage, at): [number, Judgement] => {
      const said = verdicts.get(passage.id);
      const judged = said
        ? judgeSource(answer, { said, passage, claim })
        : judge(claim, passage.text, passage.label);
      const { quote } = judged;
      const text = quote && shownAs[at]?.text.slice(quote.start, quote.end);
      return [passage.id, quote && text ? { ...judged, quote: { ...quote, text } } : judged];
    }),
  );
  return { combined: combine(answer, bySource), bySource };
}

type SourceVerdict = Pick<ModelAnswer, "verdict" | "score">;

/** The verdict on each source that was shown; null if there are none. */
function verdictsOf(
  answer: ModelAnswer,
  shown: readonly CitedPassage[],
): ReadonlyMap<number, SourceVerdict> | null {
  const [only] = shown;
  if (only && shown.length === 1 && answer.sources.length === 0) {
    return new Map([[only.id, answer]]);
  }
  const verdicts = new Map<number, SourceVerdict>();
  for (const { id } of shown) {
    const said = answer.sources.find((source) => source.id === id);
    if (said) {
      verdicts.set(id, said);
    }
  }
  return verdicts.size > 0 ? verdicts : null;
}

function judgeSource(
  answer: ModelAnswer,
  { said, passage, claim }: { said: SourceVerdict; passage: CitedPassage; claim: string },
): Judgement {
  const judged = toJudged(answer, said);
  if (said.verdict === "unsupported") {
    return { ...judged, quote: null };
  }
  for (const { id, quote } of answer.quotes) {
    const located = id === passage.id ? locateModelQuote(quote, passage.text) : null;
    if (located) {
      return { ...judged, quote: located };
    }
  }
  const byRules = judge(claim, passage.text, passage.label);
  const isShown = byRules.quote && (isPositive(byRules.verdict) || !isPositive(said.verdict));
  return isShown ? { ...judged, quote: byRules.quote } : byRules;
}

function isPositive(verdict: Verdict): boolean {
  return verdict === "supported" || verdict === "partial";
}

const SCORES: Record<Verdict, number> = {
  supported: 1,
  partial: 0.5,
  unsupported: 0,
  contradicted: 0,
  unjudged: 0,
};

/** The reason applies to sources that share the overall verdict. */
function toJudged({ verdict, reason }: ModelAnswer, said: SourceVerdict): Judged {
  const own = said.verdict === verdict ? reason : null;
  const usual = said.verdict === "partial" ? "missing_terms" : "not_asserted";
  return {
    verdict: said.verdict,
    score: said.score ?? SCORES[said.verdict],
    method: "model",
    reason: said.verdict === "supported" ? null : (own ?? usual),
  };
}

/** The best source, or the overall verdict if the model finds that partial sources support the claim together. */
function combine(answer: ModelAnswer, bySource: ReadonlyMap<number, Judgement>): Judged {
  const all = [...bySource.values()];
  const [best] = all.toSorted(
    (one, other) => VERDICT_RANKS[other.verdict] - VERDICT_RANKS[one.verdict],
  );
  const parts = all.filter(({ verdict, method }) => verdict === "partial" && method === "model");
  if (!best || (answer.verdict === "supported" && parts.length > 1 && best.verdict === "partial")) {
    return toJudged(answer, answer);
  }
  return judgedOf(best);
}

const VerdictWord = z
  .string()
  .transform((word) => word.trim().toLowerCase())
  .pipe(z.enum(VERDICT_VALUES).exclude(["unjudged"]));
const Reason = z.enum([
  "number",
  "unit",
  "comparator",
  "negation",
  "direction",
  "missing_terms",
  "not_asserted",
]);
const Score = z.number().min(0).max(1).nullish().catch(null);
const Id = z.coerce.number().int();

const MAX_ENTRIES = 32;

function entries<Entry>(schema: z.ZodType<Entry>) {
  return z
    .array(z.unknown())
    .catch([])
    .default([])
    .transform((all) =>
      all.slice(0, MAX_ENTRIES).flatMap((one): Entry[] => {
        const { data } = schema.safeParse(one);
        return data === undefined ? [] : [data];
      }),
    );
}

/** A verifier's answer. It may name sources that don't exist. */
const ModelAnswer = z.object({
  verdict: VerdictWord,
  score: Score,
  reason: Reason.nullish().catch(null),
  sources: entries(z.object({ id: Id, verdict: VerdictWord, score: Score })),
  quotes: entries(z.object({ id: Id, quote: z.string() })),
});
type ModelAnswer = z.output<typeof ModelAnswer>;

const MAX_ANSWER_LENGTH = 32_000;
const MAX_TRIES = 32;

/** The last JSON object that is a judgement: models think aloud first, and may repeat JSON planted in a passage. */
export function readModelAnswer(text: string): ModelAnswer | null {
  const given = text.slice(0, MAX_ANSWER_LENGTH);
  let found: ModelAnswer | null = null;
  let at = given.indexOf("{");
  for (let tries = 0; at >= 0 && tries < MAX_TRIES; tries += 1) {
    const end = endOfObject(given, at);
    const { data } = ModelAnswer.safeParse(parse(given.slice(at, end)));
    found = data ?? found;
    at = given.indexOf("{", data ? end : at + 1);
  }
  return found;
}

function endOfObject(text: string, start: number): number {
  const signs = /[{}]|"(?:[^"\\]|\\.)*"/gs;
  signs.lastIndex = start;
  let depth = 0;
  for (let sign = signs.exec(text); sign; sign = signs.exec(text)) {
    depth += sign[0] === "{" ? 1 : sign[0] === "}" ? -1 : 0;
    if (depth === 0) {
      return signs.lastIndex;
    }
  }
  return text.length;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** Shorter quotes, not counting blanks, match in too many places. */
const MIN_LENGTH = 12;
const MAX_QUOTE_LENGTH = 1200;
const MAX_PLACES = 16;

/**
 * Locates a model's quote in a passage, whatever its blanks, emphasis, case, quotation marks, dashes and brackets.
 * The result is the passage's own text. Of a quote with an ellipsis, the longest part counts.
 */
export function locateModelQuote(words: string, passage: string): Quote | null {
  const { text, places } = fold(passage);
  const parts = words
    .slice(0, MAX_QUOTE_LENGTH)
    .split(/…|\.{3}/)
    .map((part) => fold(part).text.replace(/^["'(]+|["']+$/g, ""))
    .toSorted((one, other) => other.length - one.length);
  for (const part of parts) {
    const at = part.length < MIN_LENGTH ? -1 : findWords(part, text, { passage, places });
    const start = places[at];
    const last = places[at + part.length - 1];
    if (start !== undefined && last !== undefined) {
      const end = last + String.fromCodePoint(passage.codePointAt(last) ?? 0).length;
      return { text: passage.slice(start, end), start, end };
    }
  }
  return null;
}

const LEFT_OUT = /[\s*_`\p{Default_Ignorable_Code_Point}]/u;
const ALIKE: [RegExp, string][] = [
  [/[“”„«»″]/, '"'],
  [/[‘’‚′]/, "'"],
  [/[‐‑‒–—−]/, "-"],
  [/[[{［【〔〖⟦（]/, "("],
  [/[\]}］】〕〗⟧）]/, ")"],
];

function fold(given: string): { text: string; places: number[] } {
  let text = "";
  const places: number[] = [];
  let at = 0;
  for (const character of given) {
    if (!LEFT_OUT.test(character)) {
      const alike = ALIKE.find(([signs]) => signs.test(character))?.[1];
      const lower = alike ?? character.toLowerCase();
      text += lower;
      places.push(...Array<number>(lower.length).fill(at));
    }
    at += character.length;
  }
  return { text, places };
}

/** The first match that doesn't start or end inside a word; -1 if there is none. */
function findWords(
  part: string,
  text: string,
  { passage, places }: { passage: string; places: readonly number[] },
): number {
  let at = text.indexOf(part);
  for (let tries = 0; at >= 0 && tries < MAX_PLACES; tries += 1) {
    const start = places[at] ?? 0;
    const last = places[at + part.length - 1] ?? 0;
    const around = [passage.slice(start - 1, start + 1), passage.slice(last, last + 2)];
    if (!around.some((pair) => /^[\p{L}\p{N}]{2}$/u.test(pair) && !/^[\p{Lo}]/u.test(pair))) {
      return at;
    }
    at = text.indexOf(part, at + 1);
  }
  return -1;
}
