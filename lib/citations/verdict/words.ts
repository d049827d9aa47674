import { termsOf } from "@/lib/text/analyzer";
import { DIRECTIONS, type Direction } from "./directions";
import { weightOf } from "./weights";

/** What is known of a word wherever it stands. */
export interface Word {
  /** The stem, or null for a word that tells nothing by itself. */
  stem: string | null;
  /** The stem without its derivation: "inhibitor" and "inhibit" share it. */
  root: string;
  weight: number;
  /** Whether the word is its own denial: "ineffective" is "effective" denied. */
  isDenied: boolean;
  direction: Direction | null;
}

/** Words that deny another one, which no prefix rule tells apart from "international" and "unit". */
const DENIALS = new Map(
  (
    "ineffective:effective inactive:active insufficient:sufficient inadequate:adequate incomplete:complete " +
    "inconsistent:consistent inappropriate:appropriate unaffected:affected unaltered:altered unchanged:changed " +
    "unlikely:likely unnecessary:necessary unrelated:related unstable:stable unsuccessful:successful " +
    "unable:able impossible:possible irreversible:reversible irregular:regular abnormal:normal " +
    "asymptomatic:symptomatic insignificant:significant nonsignificant:significant intolerant:tolerant " +
    "independent:dependent independently:dependently ineffectively:effectively unknown:known unclear:clear " +
    "untreated:treated uncontrolled:controlled uninfected:infected unvaccinated:vaccinated inability:ability " +
    "dispensable:indispensable unimportant:important unsuitable:suitable incurable:curable untreatable:treatable " +
    "unnoticed:noticed nonessential:essential unresponsive:responsive inefficient:efficient invalid:valid " +
    "unhealthy:healthy uninvolved:involved unexpected:expected undetected:detected undetectable:detectable"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);
const NON = /^non([a-z]{4,})$/;
const NO_DENIALS = new Set("nonetheless nonsense".split(" "));

/** Forms that no stemmer brings together. */
const FORMS = new Map(
  (
    "taken:take took:take began:begin begun:begin seen:see saw:see found:find shown:show gave:give rose:rise " +
    "risen:rise fell:fall fallen:fall grew:grow grown:grow led:lead lost:lose drunk:drink drank:drink eaten:eat " +
    "ate:eat slept:sleep kept:keep held:hold felt:feel left:leave went:go gone:go broke:break broken:break " +
    "bled:bleed fed:feed bound:bind sought:seek thought:think made:make became:become feet:foot teeth:tooth " +
    "women:woman men:man children:child mice:mouse bacteria:bacterium diagnoses:diagnosis mitochondria:mitochondrion " +
    "worse:worsen worst:worsen driven:drive drove:drive died:die dying:die caused:cause causing:cause"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);
const directions = new Map(DIRECTIONS.flatMap(readDirections));
const words = new Map<string, Word>();
const CACHE_SIZE = 50_000;

/** Looks a word up as it is written: capitals tell names from common words. */
export function wordOf(text: string): Word {
  const known = words.get(text);
  if (known) {
    return known;
  }
  if (text.length > LONGEST_WORD) {
    return unread(text);
  }
  if (words.size >= CACHE_SIZE) {
    words.clear();
  }
  const word = read(text);
  words.set(text, word);
  return word;
}

/** No word is longer: a longer run of letters is taken as it is. */
const LONGEST_WORD = 45;

function unread(text: string): Word {
  const stem = text.toLowerCase();
  return { stem, root: stem, weight: 1, isDenied: false, direction: null };
}

/** The stem of a single word, spelling folded; null for a stop word. */
export function stemOf(text: string): string | null {
  const lower = text.toLowerCase();
  const [term] = termsOf(americanOf(FORMS.get(lower) ?? lower));
  return term ?? null;
}

function read(text: string): Word {
  const lower = text.toLowerCase().replace(/'s?$/, "");
  if (lower.endsWith("n't")) {
    return { stem: null, root: "", weight: 0, isDenied: false, direction: null };
  }
  const base = DENIALS.get(lower) ?? nonOf(lower);
  const said = base ?? lower;
  const stem = stemOf(said);
  // "Highly" raises nothing, for all that its stem is that of "high".
  const ofStem = stem && !said.endsWith("ly") ? directions.get(`=${stem}`) : null;
  const direction = directions.get(said) ?? ofStem ?? null;
  // "More" and "after" are stop words to a search, but not to a comparison.
  const kept = stem ?? (direction ? said : null);
  return {
    stem: kept,
    root: rootOf(kept ?? ""),
    weight: stem || !direction ? weightOf(text) : STOPPED_WEIGHT,
    isDenied: base !== null && base !== undefined,
    direction,
  };
}

const STOPPED_WEIGHT = 0.2;

function nonOf(lower: string): string | null {
  return NO_DENIALS.has(lower) ? null : (NON.exec(lower)?.[1] ?? null);
}

function readDirections(line: string): [string, Direction][] {
  const [axis = "", rest = ""] = line.split(/: (.*)/s);
  return rest.split(" / ").flatMap((side, index) => {
    const direction: Direction = { axis, sign: index === 0 ? 1 : -1 };
    return side.split(" ").flatMap((word): [string, Direction][] => {
      const stem = stemOf(word);
      return stem
        ? [
            [word, direction],
            [`=${stem}`, direction],
          ]
        : [[word, direction]];
    });
  });
}

/** British spellings as American ones. What it makes of other words is never seen. */
function americanOf(word: string): string {
  return word
    .replace(/[ao]e/g, "e")
    .replace(/(?<=[a-z]{2})our(?=$|[a-z]*(?:s|ed|ing|al|ful|able|less)$)/, "or")
    .replace(/([a-z]{4})is(?=e$|e[drs]$|ing$|ations?$)/, "$1iz")
    .replace(/ys(?=e$|e[drs]$|ing$)/, "yz")
    .replace(/([bt])re(?=s?$)/, "$1er")
    .replace(/ll(?=ed$|ing$|er$)/, "l")
    .replace(/sulph/, "sulf")
    .replace(/amme(?=s?$)/, "am")
    .replace(/^ageing$/, "aging");
}

const ENDINGS =
  /(?:ation|ator|itor|tor|ori|or|er|ive|ativ|iv|ical|ial|al|ic|ia|ism|ist|ous|iti|ity|anc|enc|ant|ent|ment|iz|at|y|i|e|a)$/;
const LEAST_ROOT = 5;

function rootOf(stem: string): string {
  const root = stem.replace(ENDINGS, "");
  return root.length >= LEAST_ROOT ? root : stem;
}
