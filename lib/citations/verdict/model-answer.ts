import * as z from "zod";
import { Verdict } from "../schema";

const VerdictWord = z
  .string()
  .transform((word) => word.trim().toLowerCase())
  .pipe(Verdict);
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

const MOST_ENTRIES = 32;

/** What fits of a list, and an empty one in place of anything else. */
function entries<Entry>(schema: z.ZodType<Entry>) {
  return z
    .array(z.unknown())
    .catch([])
    .default([])
    .transform((all) =>
      all.slice(0, MOST_ENTRIES).flatMap((one): Entry[] => {
        const { data } = schema.safeParse(one);
        return data === undefined ? [] : [data];
      }),
    );
}

/** What a verifier says of a claim; what it says of sources may be of sources that do not exist. */
const ModelAnswer = z.object({
  verdict: VerdictWord,
  score: Score,
  reason: Reason.nullish().catch(null),
  sources: entries(z.object({ id: Id, verdict: VerdictWord, score: Score })),
  quotes: entries(z.object({ id: Id, quote: z.string() })),
});
export type ModelAnswer = z.output<typeof ModelAnswer>;

const LONGEST_ANSWER = 32_000;
const MOST_TRIES = 32;

/**
 * The judgement in a model's text: the last JSON object that is one, whatever stands around it. Models think
 * aloud before they answer, and may repeat there what a passage made them see. Null when there is none.
 */
export function readModelAnswer(text: string): ModelAnswer | null {
  const given = text.slice(0, LONGEST_ANSWER);
  let found: ModelAnswer | null = null;
  let at = given.indexOf("{");
  for (let tries = 0; at >= 0 && tries < MOST_TRIES; tries += 1) {
    const end = endOfObject(given, at);
    const { data } = ModelAnswer.safeParse(parse(given.slice(at, end)));
    found = data ?? found;
    at = given.indexOf("{", data ? end : at + 1);
  }
  return found;
}

/** Behind the bracket that closes the one here; the end of the text when none does. */
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
