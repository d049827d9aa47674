import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { analyzePassage } from "@/lib/evidence/verdict/analyze-passage";
import { judgeAnalyzed } from "@/lib/evidence/verdict/judge";
import type { Verdict } from "@/lib/evidence/verdict/judged";
import { splitFrontMatter } from "@/lib/text/front-matter";
import { Random } from "../search/random";
import { countVerdict, type Row } from "./corruption";
import type { Half, TitledText } from "./pairs";

// Errors made from the passage itself: a number attached to the wrong thing, or a claim stronger than its source.

/** A claim made from a sentence of a passage, and whether it is still true. */
export interface WithinCase {
  kind: string;
  isTrue: boolean;
  claim: string;
  passage: string;
  title: string;
}

const PASSAGE_CHARACTERS = 1200;
const PER_KIND = 2500;
const SAMPLE = "prisma/knowledge";

/** Makes the cases of one half. Documents are halved by a hash of their titles. */
function makeCases(texts: readonly TitledText[], half: Half, makers: Makers): WithinCase[] {
  const passages = [...readSample(), ...texts]
    .filter(({ title }) => halfOf(title) === half)
    .flatMap(({ title, text }) => passagesOf(text).map((sentences) => ({ title, sentences })));
  const random = new Random(7, 7);
  const cases = random.shuffle(
    passages.flatMap(({ title, sentences }) => {
      const passage = sentences.join(" ");
      return sentences.flatMap((sentence) =>
        casesOf(sentence, { all: sentences, title }, { makers, random }).map((made) => ({
          ...made,
          passage,
          title,
        })),
      );
    }),
  );
  const counts = new Map<string, number>();
  return cases.filter(({ kind, claim, passage }) => {
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    return count < PER_KIND && (kind === "verbatim" || !passage.includes(claim));
  });
}

export function measureWithin(
  texts: readonly TitledText[],
  { half, makers = MAKERS }: { half: Half; makers?: Makers },
  see: (found: WithinCase & { verdict: Verdict; reason: string | null }) => void = () => undefined,
): Row[] {
  const rows = new Map<string, Row>();
  for (const each of makeCases(texts, half, makers)) {
    const { kind, isTrue, claim, passage, title } = each;
    const { verdict, reason } = judgeAnalyzed(claim, analyzePassage(passage, title));
    countVerdict(rows, kind, isTrue ? "true" : "false", verdict);
    see({ ...each, verdict, reason });
  }
  return [...rows.values()].sort(
    (a, b) => a.wording.localeCompare(b.wording) || a.what.localeCompare(b.what),
  );
}

type Made = Pick<WithinCase, "kind" | "isTrue" | "claim">;

function casesOf(
  sentence: string,
  near: Near,
  { makers, random }: { makers: Makers; random: Random },
): Made[] {
  const made = (["false", "true"] as const).map((truth) =>
    Object.entries(makers[truth]).flatMap(([kind, make]) =>
      make(sentence, near, random).map((claim) => ({ kind, isTrue: truth === "true", claim })),
    ),
  );
  return made.flat();
}

/** The sentences of a passage, and the title of its document. */
export interface Near {
  all: readonly string[];
  title: string;
}

type Make = (sentence: string, near: Near, random: Random) => string[];

/** Makes claims from a sentence, each of a kind. */
export type Makers = Record<"true" | "false", Record<string, Make>>;

const UNIT =
  "mg\\/kg|mg\\/day|mg\\/dL|mmol\\/L|mmol\\/mol|mm Hg|mmHg|mcg|µg|mg|mL|ml|kg|g|IU|units|percent|%|years|months|weeks|days|hours|minutes";
const MEASURED = new RegExp(
  `(?<![\\p{L}\\p{N}.,/-])(\\d+(?:,\\d{3})*(?:\\.\\d+)?)(\\s?)(${UNIT})(?![\\p{L}\\p{N}/])`,
  "gu",
);

interface Measure {
  text: string;
  number: string;
  unit: string;
  index: number;
}

function measuresIn(sentence: string): Measure[] {
  return [...sentence.matchAll(MEASURED)].map(
    ({ 0: text, 1: number = "", 3: unit = "", index }) => ({
      ...{ text, number, unit, index },
    }),
  );
}

/** Each quantity with another one of its unit that the passage has elsewhere. */
function exchangeQuantity(sentence: string, { all }: Near, random: Random): string[] {
  const own = measuresIn(sentence);
  return own.flatMap((measure) => {
    const others = all
      .flatMap(measuresIn)
      .filter(({ unit, number }) => unit === measure.unit && number !== measure.number);
    if (others.length === 0) {
      return [];
    }
    const { number } = random.pick(others);
    return [replaceAt(sentence, measure, measure.text.replace(measure.number, number))];
  });
}

/** Two quantities of one unit in a sentence, each in the other's place. */
function swapQuantities(sentence: string): string[] {
  const own = measuresIn(sentence);
  return own.flatMap((one, at) =>
    own
      .slice(at + 1)
      .flatMap((other) =>
        one.unit === other.unit && one.number !== other.number && !isRange(sentence, one, other)
          ? [
              sentence.slice(0, one.index) +
                other.text +
                sentence.slice(one.index + one.text.length, other.index) +
                one.text +
                sentence.slice(other.index + other.text.length),
            ]
          : [],
      ),
  );
}

function isRange(sentence: string, one: Measure, other: Measure): boolean {
  const between = sentence.slice(one.index + one.text.length, other.index);
  return /^\s?(?:to|-|–|or|and)\s?$/.test(between);
}

const HEDGED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:may|can|could|might) be\b/, "is"],
  [
    /\b(?:may|can|could|might) (?:sometimes |rarely |also )?(cause|lead|increase|reduce|affect|help|harm|damage|worsen|improve|result|occur|develop|include|prevent|raise|lower)\b/,
    "$1s",
  ],
];

function removeHedge(sentence: string): string[] {
  const found = HEDGED.find(([form]) => form.test(sentence));
  return found ? [sentence.replace(found[0], found[1])] : [];
}

const RISK: readonly (readonly [RegExp, string])[] = [
  [/\bincreases? (?:the|a person's|your) risks? (?:of|for)\b/, "causes"],
  [/\b(?:is|are) (?:a |an )?(?:\w+ )?risk factors? for\b/, "causes"],
  [
    /\b(?:is|are|was|were) (?:strongly |significantly |also )?(?:associated with|linked to|related to)\b/,
    "causes",
  ],
  [/\b(?:is|are) (?:more )?likely to (?:get|have|develop)\b/, "always have"],
];

function riskToCause(sentence: string): string[] {
  const found = RISK.find(([form]) => form.test(sentence));
  return found ? [sentence.replace(found[0], found[1])] : [];
}

const POPULATION =
  /,? (?:in|among|for) (?:(?:some|most|many|older|younger|healthy|pregnant|otherwise healthy|postmenopausal) )?(?:adults|children|infants|newborns|women|men|patients|people|adolescents|individuals|smokers)(?: (?:aged?|with|who|over|under|younger than|older than|without|taking) [^,.;:()]{3,50})?(?=[,.;])/;

function widenPopulation(sentence: string): string[] {
  return POPULATION.test(sentence) ? [sentence.replace(POPULATION, "")] : [];
}

const CONDITION = /,? (?:unless|if|only if|provided that|except when|when) [^,.;:]{8,80}(?=\.$)/;

function dropCondition(sentence: string): string[] {
  return CONDITION.test(sentence) ? [sentence.replace(CONDITION, "")] : [];
}

const FALSE: Record<string, Make> = {
  "another quantity of the passage": exchangeQuantity,
  "quantities swapped": swapQuantities,
  "hedge removed": removeHedge,
  "risk made cause": riskToCause,
  "population widened": widenPopulation,
  "condition dropped": dropCondition,
};

/** "31%" as "about 30%", "4,812" isn't rounded. */
function round(sentence: string): string[] {
  return measuresIn(sentence).flatMap((measure) => {
    const value = Number(measure.number.replace(/,/g, ""));
    const digits = measure.number.replace(/\D/g, "").replace(/^0+|0+$/g, "").length;
    const before = sentence.slice(Math.max(0, measure.index - 24), measure.index);
    if (
      digits < 2 ||
      /(?:about|around|nearly|least|most|than|to|up|over|under|and|or|between|above|below|vs\.?|[<>≤≥~=+±:,(−–-])\s?$/i.test(
        before,
      )
    ) {
      return [];
    }
    const scale = 10 ** (Math.floor(Math.log10(value)) - digits + 2);
    const rounded = Math.round(value / scale) * scale;
    const text = Number(rounded.toPrecision(digits - 1)).toString();
    return rounded === value || rounded === 0
      ? []
      : [replaceAt(sentence, measure, `about ${measure.text.replace(measure.number, text)}`)];
  });
}

const CONVERSIONS: Record<string, readonly [factor: number, unit: string]> = {
  mg: [0.001, "g"],
  mcg: [0.001, "mg"],
  g: [1000, "mg"],
  hours: [60, "minutes"],
  days: [24, "hours"],
  weeks: [7, "days"],
  years: [12, "months"],
  minutes: [60, "seconds"],
  mL: [0.001, "L"],
  kg: [1000, "g"],
};

function convert(sentence: string): string[] {
  return measuresIn(sentence).flatMap((measure) => {
    const [factor, unit] = CONVERSIONS[measure.unit] ?? [];
    const before = sentence.slice(Math.max(0, measure.index - 6), measure.index);
    if (
      factor === undefined ||
      unit === undefined ||
      /(?:to|and|or|vs\.?|[+±:(–-])\s?$/.test(before)
    ) {
      return [];
    }
    const value = Number(measure.number.replace(/,/g, "")) * factor;
    return value > 5000
      ? []
      : [replaceAt(sentence, measure, `${Number(value.toPrecision(6))} ${unit}`)];
  });
}

const SYNONYMS: readonly (readonly [RegExp, string])[] = [
  [/\bapproximately\b/i, "about"],
  [/\bsuch as\b/, "for example"],
  [/\busually\b/, "normally"],
  [/\boften\b/, "frequently"],
  [/\bbegin(s?)\b/, "start$1"],
  [/\bhelps? to\b/, "aids to"],
  [/\bdoctors?\b/, "physician"],
  [/\bmedicines?\b/, "medication"],
  [/\bshortness of breath\b/, "breathlessness"],
  [/\bhigh blood pressure\b/, "hypertension"],
  [/\bheart attack\b/, "myocardial infarction"],
  [/\bkidney\b/, "renal"],
  [/\bchildren\b/, "kids"],
  [/\bis used to treat\b/, "treats"],
  [/\bhowever, /i, ""],
  [/\bin addition, /i, ""],
  [/\bdue to\b/, "because of"],
  [/\bshould not\b/, "must not"],
  [/\bdevelops?\b/, "arises"],
];

/** One or two words for the same thing. */
function synonyms(sentence: string, _near: Near, random: Random): string[] {
  const apt = random.shuffle(SYNONYMS.filter(([form]) => form.test(sentence))).slice(0, 2);
  return apt.length === 0
    ? []
    : [capitalized(apt.reduce((text, [form, put]) => text.replace(form, put), sentence))];
}

/** "In mice, X grows." as "X grows in mice.", and the other way. */
function reorder(sentence: string): string[] {
  const front =
    /^(In|Among|After|During|For|At|With|If|When) ([^,.;()]{3,60}), ([^,;:()]{15,})\.$/.exec(
      sentence,
    );
  if (front) {
    const [, word = "", rest = "", main = ""] = front;
    return [`${capitalized(main)} ${word.toLowerCase()} ${rest}.`];
  }
  const back = /^([^,;:()]{15,}?) ((?:after|during|if|when) [^,;:.()]{3,60})\.$/.exec(sentence);
  const [, main = "", rest = ""] = back ?? [];
  return back ? [`${capitalized(rest)}, ${lowered(main)}.`] : [];
}

const PASSIVE: Record<string, string> = {
  causes: "is caused by",
  treats: "is treated by",
  prevents: "is prevented by",
  increases: "is increased by",
  reduces: "is reduced by",
  affects: "is affected by",
  relieves: "is relieved by",
  controls: "is controlled by",
  blocks: "is blocked by",
};
const ACTIVE = new RegExp(
  `^([^,;:()]{3,50}?) (${Object.keys(PASSIVE).join("|")}) ([^,;:()]{3,60})\\.$`,
);

function toPassive(sentence: string): string[] {
  const [, subject = "", verb = "", object = ""] = ACTIVE.exec(sentence) ?? [];
  const isPlain = !/\b(?:not|never|no|what|which|that|who|how|known|unclear|to|of)\b/i.test(
    `${subject} ${object}`,
  );
  return verb && isPlain ? [`${capitalized(object)} ${PASSIVE[verb]} ${lowered(subject)}.`] : [];
}

/** What models put before a sentence. */
const OPENERS = [
  "In short, ",
  "According to the source, ",
  "The document says that ",
  "Yes, ",
] as const;
const DENIES = /\b(?:not|no|never|cannot|without|neither|nor)\b|n't\b/i;

function opened(sentence: string, _near: Near, random: Random): string[] {
  const opener = DENIES.test(sentence) ? "No, " : random.pick(OPENERS);
  return [opener + lowered(sentence)];
}

const TRUE: Record<string, Make> = {
  verbatim: (sentence) => [sentence],
  reordered: reorder,
  "other words": synonyms,
  passive: toPassive,
  rounded: round,
  converted: convert,
  opener: opened,
};

const MAKERS: Makers = { false: FALSE, true: TRUE };

function replaceAt(sentence: string, { index, text }: Measure, put: string): string {
  return sentence.slice(0, index) + put + sentence.slice(index + text.length);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Keeps names and abbreviations. */
function lowered(text: string): string {
  return /^(?:The|A|An|In|It|This|These|Most|Some|Many|People|Treatment|Symptoms|For|If|When|After|About|Adults|Children)\b/.test(
    text,
  )
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;
}

function passagesOf(text: string): string[][] {
  const passages: string[][] = [[]];
  let length = 0;
  for (const sentence of sentencesIn(text)) {
    if (length + sentence.length > PASSAGE_CHARACTERS) {
      passages.push([]);
      length = 0;
    }
    passages.at(-1)?.push(sentence);
    length += sentence.length;
  }
  return passages.filter((sentences) => sentences.length > 1);
}

function sentencesIn(text: string): string[] {
  return text
    .replace(/^#+ .*$/gm, "")
    .split(/(?<=[a-z)%\d][.])\s+(?=[A-Z])|\n+[-*]?\s*/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => {
      const words = sentence.split(/\s+/).length;
      return words >= 6 && words <= 50 && /^[A-Z]/.test(sentence) && sentence.endsWith(".");
    });
}

function readSample(): TitledText[] {
  return readdirSync(SAMPLE).map((name) => {
    const { data, content } = splitFrontMatter(readFileSync(path.join(SAMPLE, name), "utf8"));
    return { title: (data as { title: string }).title, text: content };
  });
}

function halfOf(title: string): Half {
  const [byte = 0] = createHash("sha256").update(`within ${title}`).digest();
  return byte % 2 === 0 ? "tuned" : "reported";
}
