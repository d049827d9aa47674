import * as z from "zod";
import { AppError } from "@/lib/errors";
import type { AnalyzedPassage } from "@/lib/evidence/verdict/analyze-passage";
import { doubtAbout } from "@/lib/evidence/verdict/doubts";
import type { Judgement } from "@/lib/evidence/verdict/judge";
import { type Judged, VERDICT_VALUES, type Verdict } from "@/lib/evidence/verdict/judged";
import type { Quote } from "@/lib/evidence/verdict/quotes";
import { bestOf, type Claim, type ClaimJudgement } from "@/lib/evidence/verdict/rules-judge";
import { findJsonObjects } from "@/lib/text/json-objects";
import { withoutUnasserted } from "@/lib/text/unasserted";
import { MAX_CLAIMS, REASONS } from "./model-prompt";
import { locateModelQuote } from "./model-quote";

/** What a judge outside says of one claim and its sources together. */
export interface Said {
  verdict: Verdict;
  quote: string | null;
  reason: string | null;
}

/** A claim with one of its sources, or with all of them, for a judge outside. */
export function pairsOf({ text, ids }: Claim): Claim[] {
  const alone = ids.map((id) => ({ text, ids: [id] }));
  return ids.length > 1 ? [...alone, { text, ids }] : alone;
}

/** Identifies such a pair. */
export function pairKey({ text, ids }: Claim): string {
  return `${ids.join()} ${text}`;
}

/** Reasons that only concern wording, which a model may know better. Any other reason is a fact of the text. */
const OPEN_REASONS: ReadonlySet<string | null> = new Set(["missing_terms", "empty", "language"]);

/** Whether the rules leave a verdict open that a model could settle. */
export function isOpen({ combined: { verdict, reason } }: ClaimJudgement): boolean {
  return verdict !== "supported" && verdict !== "contradicted" && OPEN_REASONS.has(reason);
}

interface Heard {
  byRules: ClaimJudgement;
  /** By the key of the pair; undefined for one that nobody was asked about. */
  saidOf: (pair: Claim) => Said | undefined;
  analyze: (ids: readonly number[]) => AnalyzedPassage;
}

/** What rules and a judge outside together make of a claim. */
export function settleClaim(claim: Claim, { byRules, saidOf, analyze }: Heard): ClaimJudgement {
  const bySource = new Map(
    [...byRules.bySource].map(([id, ruled]): [number, Judgement] => {
      const said = saidOf({ text: claim.text, ids: [id] });
      const heard = said && hear(claim.text, said, { ruled, analyzed: analyze([id]), isOne: true });
      return [id, heard ?? ruled];
    }),
  );
  const together = claim.ids.length > 1 ? saidOf(claim) : undefined;
  const ruled = { ...byRules.combined, quote: null };
  const heard =
    together && hear(claim.text, together, { ruled, analyzed: analyze(claim.ids), isOne: false });
  const wasAsked = heard || [...bySource.values()].some(({ method }) => method === "model");
  return wasAsked
    ? { bySource, combined: bestOf([...bySource.values(), ...(heard ? [heard] : [])]) }
    : byRules;
}

interface Ruled {
  ruled: Judgement;
  analyzed: AnalyzedPassage;
  /** A single source, in which the words must stand. */
  isOne: boolean;
}

/**
 * A verdict other than `unsupported` needs a quote from the source, and `supported` also needs the rules to find nothing
 * against the claim there. Null when the judge's verdict doesn't count.
 */
function hear(claim: string, said: Said, { ruled, analyzed, isOne }: Ruled): Judgement | null {
  const { verdict } = said;
  if (verdict === "unsupported") {
    return { ...toJudged(said), quote: null };
  }
  const quote = said.quote === null ? null : locate(said.quote, analyzed);
  if (!quote) {
    return null;
  }
  if (verdict === "supported" && ruled.verdict !== "supported") {
    const doubt = OPEN_REASONS.has(ruled.reason)
      ? doubtAbout(claim, analyzed, isOne ? quote : null)
      : ruled.reason;
    return doubt === null ? { ...toJudged(said), quote } : null;
  }
  return { ...toJudged(said), quote };
}

/** In the passage as it is shown; what is struck out or not checked is no evidence. */
function locate(words: string, { passage }: AnalyzedPassage): Quote | null {
  const found = locateModelQuote(words, withoutUnasserted(passage));
  return found && { ...found, text: passage.slice(found.start, found.end) };
}

const SCORES: Record<Verdict, number> = {
  supported: 1,
  partial: 0.5,
  unsupported: 0,
  contradicted: 0,
  unjudged: 0,
};

function toJudged({ verdict, reason }: Said): Judged {
  const usual = verdict === "partial" ? "missing_terms" : "not_asserted";
  return {
    verdict,
    score: SCORES[verdict],
    method: "model",
    reason: verdict === "supported" ? null : (reason ?? usual),
  };
}

const word = <Word extends string>(words: readonly Word[]) =>
  z
    .string()
    .transform((text) => text.trim().toLowerCase())
    .pipe(z.enum(words));

const VERDICTS = VERDICT_VALUES.filter((verdict) => verdict !== "unjudged");

const Entry = z.object({
  claim: z.coerce.number().int(),
  quote: z.string().catch(""),
  verdict: word(VERDICTS),
  reason: word(REASONS).nullable().catch(null),
});

/** What a model is asked for, as a JSON schema that every upstream with structured outputs takes. */
export const ANSWER_FORMAT = {
  type: "json_schema",
  json_schema: {
    name: "judgements",
    strict: true,
    schema: {
      type: "object",
      additionalProperties: false,
      required: ["claims"],
      properties: {
        claims: {
          type: "array",
          items: {
            type: "object",
            additionalProperties: false,
            required: ["claim", "quote", "verdict", "reason"],
            properties: {
              claim: { type: "integer" },
              quote: { type: "string" },
              verdict: { type: "string", enum: VERDICTS },
              reason: { type: "string", enum: REASONS },
            },
          },
        },
      },
    },
  },
};

const MAX_ENTRIES = 2 * MAX_CLAIMS;

const Answer = z.object({ claims: z.array(z.unknown()) }).transform(({ claims }) =>
  claims.slice(0, MAX_ENTRIES).flatMap((one) => {
    const { data } = Entry.safeParse(one);
    return data ? [data] : [];
  }),
);

/**
 * What a model says of each claim that it was asked about, by the claim's number: the last JSON object that is an answer,
 * because models think aloud first and may repeat JSON planted in a source. Throws upstream_error if there is none.
 */
export function readAnswer(text: string, claims: number): ReadonlyMap<number, Said> {
  const said = new Map<number, Said>();
  const answer = findJsonObjects(text, Answer).findLast((entries) => entries.length > 0) ?? [];
  for (const { claim, quote, verdict, reason } of answer) {
    if (claim >= 1 && claim <= claims && !said.has(claim)) {
      said.set(claim, { verdict, quote, reason: reason === "none" ? null : reason });
    }
  }
  if (said.size === 0) {
    throw new AppError("upstream_error", "The verifier's answer was no judgement.");
  }
  return said;
}
