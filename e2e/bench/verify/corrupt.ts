import type { Random } from "../search/random";

/** Each corrupts a sentence, or returns null if it can't. Shares no code with the judge. */
export const CORRUPTIONS = {
  number: corruptNumber,
  unit: corruptUnit,
  comparator: corruptComparator,
  negation: corruptNegation,
  direction: corruptDirection,
  population: corruptPopulation,
  preference: swapPreferred,
  comparison: swapCompared,
  roles: swapRoles,
} as const;

export type Corruption = keyof typeof CORRUPTIONS;

/** A standalone number, not part of a name such as IL-6 or p53, a date or an exponent. */
const NUMBER = /(?<![\p{L}\p{N}.,·^/+[-])(?<![;:] )\d+(?:\.\d+)?(?![\p{L}\p{N}·^/\]-]|[.,]\d)/gu;

function corruptNumber(sentence: string, random: Random): string | null {
  return changeOne(sentence, NUMBER, random, (found) => {
    const decimals = found.split(".")[1]?.length ?? 0;
    const value = Number(found);
    const factor = random.pick([0.4, 0.6, 1.5, 2, 3]);
    const other = (value * factor).toFixed(decimals);
    return Number(other) === value ? (value + 1).toFixed(decimals) : other;
  });
}

const UNITS: Record<string, string> = {
  mg: "g",
  g: "mg",
  kg: "g",
  µg: "mg",
  μg: "mg",
  ml: "l",
  mL: "L",
  mm: "cm",
  cm: "mm",
  nm: "mm",
  days: "weeks",
  day: "week",
  weeks: "months",
  week: "month",
  wk: "months",
  months: "years",
  month: "year",
  years: "months",
  year: "month",
  hours: "minutes",
  h: "min",
  min: "h",
  minutes: "hours",
  "%": "‰",
  percent: "mg",
  mmHg: "kPa",
  kb: "bp",
  bp: "kb",
  mM: "µM",
  nM: "mM",
  Hz: "kHz",
  "°C": "°F",
  milligrams: "grams",
  kilograms: "grams",
};
const MEASURED = new RegExp(
  `(?<=\\d[ -]?)(?:${Object.keys(UNITS).join("|")})(?![\\p{L}\\p{N}])`,
  "gu",
);

function corruptUnit(sentence: string, random: Random): string | null {
  return changeOne(sentence, MEASURED, random, (found) => UNITS[found] ?? found);
}

const COMPARATORS: readonly (readonly [string, string])[] = [
  ["more than", "less than"],
  ["greater than", "less than"],
  ["less than", "more than"],
  ["fewer than", "more than"],
  ["at least", "at most"],
  ["at most", "at least"],
  ["up to", "at least"],
  ["above", "below"],
  ["below", "above"],
  ["over", "under"],
  ["under", "over"],
  [">", "<"],
  ["<", ">"],
  ["≥", "≤"],
  ["≤", "≥"],
];
/** A comparator bounds a number; "over 5 years" may be a duration. */
const BOUNDING = new RegExp(
  `(?<![\\p{L}<>=])(?:${COMPARATORS.map(([from]) => from).join("|")})(?=\\s?(?:or )?=?\\s?\\d)(?!(?<=over|under)\\s\\d+\\s(?:year|month|week|day|h))`,
  "gu",
);

function corruptComparator(sentence: string, random: Random): string | null {
  const opposites = new Map(COMPARATORS);
  return changeOne(sentence, BOUNDING, random, (found) => opposites.get(found) ?? found);
}

const DENIALS: readonly (readonly [RegExp, string])[] = [
  [/\bcannot\b/, "can"],
  [
    /\b(did|does|do|is|are|was|were|has|have|had|can|could|may|might|will|should) not (?!only)/,
    "$1 ",
  ],
  [/\bwithout\b/, "with"],
  [/\b(?:there (?:was|is)|had|has|found|showed) no\b/, "there was a"],
];
const AUXILIARY =
  /\b(is|are|was|were|has|have|had|can|could|may|might|will|should)\b(?! not| no\b| only| just)/g;

/** Removes a negation if there is one, otherwise adds one. */
function corruptNegation(sentence: string, random: Random): string | null {
  const denial = DENIALS.find(([form]) => form.test(sentence));
  if (denial) {
    return sentence.replace(denial[0], denial[1]);
  }
  return changeOne(sentence, AUXILIARY, random, (found) => `${found} not`);
}

const TURNS = new Map(
  [
    ["increased", "decreased"],
    ["increases", "decreases"],
    ["increase", "decrease"],
    ["higher", "lower"],
    ["greater", "smaller"],
    ["improved", "worsened"],
    ["promotes", "inhibits"],
    ["induced", "prevented"],
    ["activates", "suppresses"],
    ["enhanced", "impaired"],
    ["positive", "negative"],
    ["reduced", "raised"],
    ["before", "after"],
  ].flatMap(([one = "", other = ""]) => [[one, other] as const, [other, one] as const]),
);
const TURNING = new RegExp(`\\b(?:${[...TURNS.keys()].join("|")})\\b`, "g");

function corruptDirection(sentence: string, random: Random): string | null {
  return changeOne(sentence, TURNING, random, (found) => TURNS.get(found) ?? found);
}

const OTHERS = new Map(
  [
    ["men", "women"],
    ["male", "female"],
    ["males", "females"],
    ["children", "adults"],
    ["infants", "adults"],
    ["younger", "older"],
    ["young", "elderly"],
    ["oral", "intravenous"],
    ["severe", "mild"],
    ["urban", "rural"],
    ["maternal", "paternal"],
    ["systolic", "diastolic"],
    ["intracellular", "extracellular"],
    ["proximal", "distal"],
    ["anterior", "posterior"],
    ["inpatient", "outpatient"],
    ["homozygous", "heterozygous"],
    ["bacterial", "viral"],
  ].flatMap(([one = "", other = ""]) => [[one, other] as const, [other, one] as const]),
);
const NAMED = new RegExp(`\\b(?:${[...OTHERS.keys()].join("|")})\\b`, "g");

/** Another group of people, route, severity or place: a sentence that names both isn't used. */
function corruptPopulation(sentence: string, random: Random): string | null {
  const named = new Set(sentence.match(NAMED));
  const isMixed = [...named].some((word) => named.has(OTHERS.get(word) ?? ""));
  return isMixed ? null : changeOne(sentence, NAMED, random, (found) => OTHERS.get(found) ?? found);
}

const WORD = "[\\p{L}\\p{N}-]{3,}";
const PREFERENCE = new RegExp(`(${WORD}) (rather than|instead of) (${WORD})`, "u");

/** "A rather than B" becomes "B rather than A". */
function swapPreferred(sentence: string): string | null {
  return exchange(sentence, PREFERENCE, "$3 $2 $1");
}

const COMPARISON = new RegExp(
  `\\b((?:higher|lower|greater|more|less|fewer|better|worse|larger|smaller|longer|shorter)[^.,;:()]{0,40}? (?:in|for|with|among) )(${WORD})( [^.,;:()]{0,25}?than (?:in |for |with |among )?)(${WORD})`,
  "u",
);

/** "Higher in A than in B" becomes "higher in B than in A". */
function swapCompared(sentence: string): string | null {
  return exchange(sentence, COMPARISON, "$1$4$3$2");
}

const VERB =
  "causes|induces|inhibits|activates|increases|reduces|regulates|promotes|prevents|mediates|suppresses|stimulates|predicts|blocks|enhances|triggers|controls|requires|binds|phosphorylates|drives|decreases|targets";
const ROLES = new RegExp(
  `(?<=^|\\bthat )((?!(?:this|which|both|and) )(?:${WORD} ){0,2}${WORD}) (${VERB}) (?!(?:the|both|and) )((?:${WORD} ){0,1}${WORD})(?=[.,;]| (?:in|by|through|via)\\b)`,
  "u",
);

/** "A causes B" becomes "B causes A". */
function swapRoles(sentence: string): string | null {
  return exchange(sentence, ROLES, "$3 $2 $1");
}

function exchange(sentence: string, form: RegExp, order: string): string | null {
  const swapped = sentence.replace(form, order);
  return swapped === sentence ? null : swapped;
}

function changeOne(
  sentence: string,
  form: RegExp,
  random: Random,
  change: (found: string) => string,
): string | null {
  const places = [...sentence.matchAll(form)];
  if (places.length === 0) {
    return null;
  }
  const { 0: found, index } = random.pick(places);
  return `${sentence.slice(0, index)}${change(found)}${sentence.slice(index + found.length)}`;
}
