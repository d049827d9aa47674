import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import porter2 from "wink-porter2-stemmer";
import { readPacks } from "@/lib/packs";
import type { LatinLanguage } from "./languages";

/** The stemmers are slow on long runs of letters; hardly a word is longer than this. */
const MAX_WORD_LENGTH = 45;

/**
 * Words come without accents, because many writers leave them out. Where a stemmer needs the accent of an ending, it is
 * put back; what a stemmer doesn't unify is rewritten first.
 */
const STEMMERS: Record<LatinLanguage, (word: string) => string> = {
  en: (word) => englishStemOf(americanOf(word)),
  // "Oedem" is "Ödem".
  de: (word) => german(word.replace(/([ao])e|(?<![aeq])(u)e/g, "$1$2")),
  es: (word) => withoutAccents(spanish(word.replace(/cion$/, "ción"))),
  fr: (word) => withoutAccents(french(word.replace(/ees?$/, "e"))),
  it: (word) => withoutAccents(italian(word)),
  pt: (word) => withoutAccents(portuguese(portugueseSingularOf(word))),
  nl: (word) => withoutAccents(dutch(word)),
  // "Behandling" is what "behandla" does.
  sv: (word) => withoutAccents(swedish(word.replace(NOUN_OF_ACTION, "a"))),
  da: (word) => withoutAccents(danish(word.replace(NOUN_OF_ACTION, "e"))),
  no: (word) => withoutAccents(norwegian(word.replace(NOUN_OF_ACTION, "e"))),
  fi: (word) => withoutAccents(finnish(word)),
  tr: (word) => withoutAccents(turkish(word)),
};
/** Such as "-ing", "-ingen" and "-ingerne", in the Scandinavian languages. */
const NOUN_OF_ACTION = /(?<=[a-z]{4})n?ing(?:en|ens|s|a|ar|arna|er|ers|erne|ene)?$/;

/** The stem of a folded word, without accents. A word of another script than Latin or Arabic is its own stem. */
export function stemOfFolded(word: string, language: LatinLanguage): string {
  if (word.length > MAX_WORD_LENGTH) {
    return word;
  }
  if (/^[a-z]+$/.test(word)) {
    return STEMMERS[language](word);
  }
  return /^\p{Script=Arabic}+$/u.test(word) ? arabic(word) : word;
}

/** English stems that the stemmer leaves apart. */
const SAME_STEMS = new Map(
  Object.entries({
    ...{ children: "child", women: "woman", men: "man", feet: "foot" },
    ...readPacks("words").stems,
    ...{ broken: "break", broke: "break", bitten: "bite" },
    ...{ kept: "keep", taken: "take", took: "take", given: "give", gave: "give", worn: "wear" },
    ...{
      eaten: "eat",
      ate: "eat",
      drank: "drink",
      drunk: "drink",
      slept: "sleep",
      caught: "catch",
    },
  }),
);

/** Stems that would become those of other words: "hypnotic", "narcotic", "qualitative" and "sanitation". */
const OWN_STEMS = new Set(["hypnosi", "narcosi", "qualiti", "saniti"]);

/** Hepatitis isn't the liver, and enteritis isn't "enter": the stemmer would remove the whole ending. */
const INFLAMMATION = /(?<=[a-z]{3})itis$/;

/** ALS isn't "al", and EDS isn't "ed": no plural is that short. */
const SHORT_NAME = /^[aeiou][a-z]s$/;

function englishStemOf(word: string): string {
  if (SHORT_NAME.test(word)) {
    return word;
  }
  return INFLAMMATION.test(word) ? word.replace(INFLAMMATION, "it") : unified(porter2(word));
}

/** "Anemic" and "anemia", "cirrhotic" and "cirrhosis", "arthritic" and "arthritis", "hypoxic" and "hypoxia". */
function unified(stem: string): string {
  if (OWN_STEMS.has(stem)) {
    return stem;
  }
  return (
    SAME_STEMS.get(stem) ??
    stem
      // Not "eosinophilia", whose cells are "eosinophils", and not "hypoglycemia", which hypoglycemic drugs cause.
      .replace(/(?<=[a-z]{2}(?:(?<!hypoglyc)em|phren|mophil|ox|pleg|plas))ia$/, "")
      .replace(/(?<=[a-z]{3})osi$/, "ot")
      .replace(/(?<=[a-z]{2})iasi$/, "iat")
  );
}

/** "Tumours", "behavioural" and "favouring", not "encourages" and "resources". */
const OUR =
  /(?<=[a-z]{2})our(?=(?:s|ed|ings?|al|ally|ful|fully|abl[ey]|less|ites?|ers?|hoods?|ation|igen[a-z]*|y)?$)/;

/** Turns British into American spelling. Other words may be changed too; the result is only compared. */
function americanOf(word: string): string {
  return word
    .replace(/[ao]e(?!s?$|d$|r)/g, "e")
    .replace(OUR, "or")
    .replace(/([a-z]{4})is(?=e$|e[drs]$|ing$|ations?$)/, "$1iz")
    .replace(/ys(?=e$|e[drs]$|ing$)/, "yz")
    .replace(/([btv])re(?=s?$)/, "$1er")
    .replace(/ll(?=ed$|ing$|er$)/, "l")
    .replace(/sulph/, "sulf")
    .replace(/^leuc(?=[ao])/, "leuk")
    .replace(/ogue(?=s?$)/, "og")
    .replace(/amme(?=s?$)/, "am")
    .replace(/^ageing$/, "aging");
}

/** "Lesões" and "lesão", "sinais" and "sinal", "rins" and "rim"; "infeção" is the spelling of Portugal. */
function portugueseSingularOf(word: string): string {
  return word
    .replace(/oes$/, "ao")
    .replace(/c?cao$/, "ção")
    .replace(/(?<=[a-z]{2}[ae])is$/, "l")
    .replace(/([ai])vel$/, (_, vowel) => (vowel === "a" ? "ável" : "ível"))
    .replace(/(?<=[eiu])ns$/, "m")
    .replace(/encia(s?)$/, "ência$1");
}

function withoutAccents(stem: string): string {
  return stem.normalize("NFD").replace(/\p{M}+/gu, "");
}
