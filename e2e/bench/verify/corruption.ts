import { createHash } from "node:crypto";
import { analyzePassage } from "@/lib/evidence/verdict/analyze-passage";
import { judge, judgeAnalyzed } from "@/lib/evidence/verdict/judge";
import type { Verdict } from "@/lib/evidence/verdict/judged";
import { Random } from "../search/random";
import { CORRUPTIONS, type Corruption } from "./corrupt";
import type { Half } from "./pairs";
import { reword } from "./reword";

export interface Row {
  what: string;
  wording: string;
  sentences: number;
  supported: number;
  partial: number;
  unsupported: number;
  contradicted: number;
  unjudged: number;
}

interface Sample {
  abstract: string;
  other: string;
  sentence: string;
}

type See = (row: {
  what: string;
  wording: string;
  verdict: Verdict;
  claim: string;
  passage: string;
}) => void;

const MIN_SENTENCE_WORDS = 8;
const MAX_SENTENCE_WORDS = 60;
const PER_ABSTRACT = 2;
const NOTHING_SEEN: See = () => undefined;

/** Judges sentences of abstracts against their own abstract, unchanged and corrupted, and against another one. */
export function measureCorruption(
  abstracts: readonly string[],
  half: Half,
  see: See = NOTHING_SEEN,
): Row[] {
  const rows = new Map<string, Row>();
  for (const [at, sample] of samplesOf(abstracts, half).entries()) {
    const random = new Random(at, half === "tuned" ? 1 : 2);
    const own = analyzePassage(sample.abstract);
    const other = analyzePassage(sample.other);
    for (const { what, wording, claim } of claimsOf(sample.sentence, random)) {
      const prepared = what === ELSEWHERE ? other : own;
      const { verdict } = judgeAnalyzed(claim, prepared);
      countVerdict(rows, what, wording, verdict);
      see({ what, wording, verdict, claim, passage: prepared.passage });
    }
  }
  measureExchanges(rows, samplesOf(abstracts, half, Number.POSITIVE_INFINITY), see);
  return [...rows.values()].sort(
    (a, b) => a.wording.localeCompare(b.wording) || a.what.localeCompare(b.what),
  );
}

function measureExchanges(rows: Map<string, Row>, samples: readonly Sample[], see: See): void {
  for (const [at, { abstract, sentence }] of samples.entries()) {
    for (const what of EXCHANGES) {
      const claim = CORRUPTIONS[what](sentence, new Random(at));
      if (claim !== null) {
        const { verdict } = judge(claim, abstract);
        countVerdict(rows, what, "plain", verdict);
        see({ what, wording: "plain", verdict, claim, passage: abstract });
      }
    }
  }
}

const ELSEWHERE = "another abstract";
/** Few sentences can be corrupted like this, so all are. */
const EXCHANGES = ["preference", "comparison", "roles", "population"] as const;
const SAMPLED = (Object.keys(CORRUPTIONS) as Corruption[]).filter(
  (what) => !EXCHANGES.some((exchange) => exchange === what),
);

function claimsOf(plain: string, random: Random) {
  const wordings = Object.entries({ plain, reworded: reword(plain, random) });
  return wordings.flatMap(([wording, sentence]) => {
    if (sentence === null) {
      return [];
    }
    const corrupted = SAMPLED.flatMap((what) => {
      const claim = CORRUPTIONS[what](sentence, random);
      return claim === null ? [] : [{ what, wording, claim }];
    });
    return [
      { what: "untouched", wording, claim: sentence },
      { what: ELSEWHERE, wording, claim: sentence },
      ...corrupted,
    ];
  });
}

export function countVerdict(
  rows: Map<string, Row>,
  what: string,
  wording: string,
  verdict: Verdict,
): void {
  const name = `${wording} ${what}`;
  const row = rows.get(name) ?? {
    ...{ what, wording, sentences: 0 },
    ...{ supported: 0, partial: 0, unsupported: 0, contradicted: 0, unjudged: 0 },
  };
  row.sentences += 1;
  row[verdict] += 1;
  rows.set(name, row);
}

/** A few sentences of each abstract, those with digits first, and an unrelated abstract. */
function samplesOf(abstracts: readonly string[], half: Half, perAbstract = PER_ABSTRACT): Sample[] {
  return abstracts.flatMap((abstract, at) => {
    const [byte = 0] = createHash("sha256").update(`abstract ${at}`).digest();
    if ((byte % 2 === 0 ? "tuned" : "reported") !== half) {
      return [];
    }
    const other = abstracts[(at + Math.floor(abstracts.length / 2)) % abstracts.length] ?? "";
    const all = new Random(at).shuffle(sentencesOf(abstract));
    const measured = all.filter((sentence) => /\d/.test(sentence)).slice(0, 1);
    return [...new Set([...measured, ...all])]
      .slice(0, perAbstract)
      .map((sentence) => ({ abstract, other, sentence }));
  });
}

export function sentencesOf(abstract: string): string[] {
  return abstract.split(/(?<=[a-z)][.])\s+(?=[A-Z])/).filter((sentence) => {
    const words = sentence.split(/\s+/).length;
    return words >= MIN_SENTENCE_WORDS && words <= MAX_SENTENCE_WORDS;
  });
}
