import { termsOf } from "@/lib/text/analyzer";
import type { LatinLanguage } from "@/lib/text/languages";
import { gloss } from "./gloss";
import { GENERIC } from "./question";
import { readTerms, withStopWords } from "./terms";

/** A sentence, list item or passage, prepared for comparisons with a question. */
export interface ReadPassage {
  /** In another language than English, its gloss. */
  text: string;
  /** The terms of the text, in order. */
  sequence: readonly string[];
  own: ReadonlySet<string>;
  /** Terms of its headings and of the line that introduces its list. */
  context: ReadonlySet<string>;
  /** Terms of its document's title, and of the headings in it. */
  title: ReadonlySet<string>;
  /** What its heading, or else its title, adds to the subject: "Symptoms". */
  place: string;
  lead: string | null;
  /** Each name of the document's subject: "Acetaminophen (paracetamol)" has two. */
  names: readonly ReadonlySet<string>[];
}

/** Titles that are questions: "What are the symptoms of Gout ?" is about gout. */
const TITLE_FRAME =
  /^\s*(?:what (?:is|are|was) (?:\(are\) )?(?:(?:the (?:\w+ ){1,2}|(?:symptoms|signs|causes|treatments?) )(?:of|for|from|related to) |the )?|what causes |what to do for |how to (?:diagnose|prevent|treat) |how many people are affected by |who is at risk for |is |are |do you have information about |what i need to know about |what research \(or clinical trials\) is being done for )|\s+inherited(?=\s*\?*\s*$)|\s+and how (?:it|they)['’]?(?:s| is| are|re) treated(?=\s*\?*\s*$)|\s*\?+\s*$/gi;
const NAME_BREAK = /[()–—|:;?]|\bdue to\b/;
/** Between two names of several words, or of one each: "HIV/AIDS". */
const SLASH = /(?<=^\S+|\S+ \S+)\s?\/\s?(?=\S+$|\S+ \S+)/g;
/** "Parasites - Scabies": the last part names the subject. */
const CATEGORY = /^.*\s-\s/;
/** "Coronary artery disease and angina" is about both, if the text begins to define one of them. */
const JOINED = /\s+and\s+/i;
/** "Listeria infections" and "Zika virus": the germ alone names them. */
const GERM =
  /^(?<germ>(?!kidney|bladder|wound|blood|bone|joint|sinus|throat|tooth|nail|heart|brain|ear|eye|skin|lung|gum|chest|breast|foot|hand|finger|toe|hip|liver|stomach|mouth|neck|nose|scalp|spine|prostate|vagina|uter|ovar|tonsil|lymph|navel|respiratory|newborn|pregnancy|catheter|surgery|food|water|travel)[a-z]{3,}(?<!al|ic|ary|ous))(?: virus(?: infections?| disease)?| infections?)$/i;
/** Who asks about kidney disease means the chronic one. */
const CHRONIC = /^chronic (?<disease>\S+ disease)$/i;
/** "Anemia of inflammation and chronic disease" is about two anemias. */
const SHARED_HEAD = /^(?<head>\S+ of) (?<one>[^,()]+?)\s+and\s+(?<other>[^,()]+)$/i;
const DEFINING = /^\s*(?:\([^()]*\)\s*)?(?:is|are|means?|happens?|occurs?|develops?)\b/i;
/** "Paranasal sinus and nasal cavity cancer": both are cancers. */
const SHARED_KIND =
  /^(?<one>(?:(?! of )[^,()])+?)\s+and\s+(?<other>[^,()]+?)\s+(?<kind>cancers?|tumou?rs?|sarcomas?|infections?|dystroph(?:y|ies)|anemias?)$/i;
const ALSO = /\b(?:also|commonly|formerly|previously) (?:known|called|named) (?:as )?/gi;
export const LABEL_SEPARATOR = " › ";
/** Other names of a subject, where a text defines it: "also called", or in parentheses after the name. */
const ALIAS =
  /\b(?:also (?:called|known as)|commonly (?:called|known as)|often called|abbreviated(?: as)?|sold as|brand names?)\s+(?:an?\s+|the\s+)?([^.;()]{2,60}?)(?=[.,;()]|,? (?:and|or|is|are|which|that)\b)|\(([A-Za-z][^()]{1,50})\)|,\s+or\s+["“]?([^,.()"”]{2,40}?)["”]?,\s+(?:is|are|occurs?|happens?)\b|\b(?:is|are) (?:the|a|another) (?:\w+ )?(?:name|term) for (?:an?\s+)?([^.,;()]{2,40}?)(?=[.,;()])/g;
const ALIAS_CHARACTERS = 400;
/** How far before "also called", or between the name and a bracket, the subject may be named. */
const NEARBY = 120;
const BETWEEN = 12;
const MAX_ALIASES = 6;
export const MAX_NAMES = 12;

/** The document's title without its frame: "Gout" of "What are the symptoms of Gout ? › Feet". */
export function subjectOfTitle(title: string): string {
  const [document = title] = title.split(LABEL_SEPARATOR);
  const bare = document.replace(TITLE_FRAME, "").replace(TITLE_FRAME, "").trim();
  return bare || document.trim();
}

/** The names that a title gives its subject, and those that its opening words add. */
export function namesOfSubject(title: string, opening: string): Set<string>[] {
  const bare = withStopWords(subjectOfTitle(title));
  const names = bare
    .replace(CATEGORY, "")
    .replace(ALSO, "")
    .replace(SLASH, " | ")
    .split(NAME_BREAK)
    .map((name) => new Set(termsOf(name)));
  const [first] = names;
  const start = withStopWords(opening.slice(0, ALIAS_CHARACTERS));
  const aliases = [...start.matchAll(ALIAS)]
    .filter(({ index, 2: bracketed, 3: or }) => {
      const isBeside = bracketed !== undefined || or !== undefined;
      const nearby = isBeside ? bare.length + BETWEEN : NEARBY;
      return isNamed(first ?? new Set(), start.slice(Math.max(0, index - nearby), index));
    })
    .slice(0, MAX_ALIASES)
    .map(([, called, bracketed, or, term]) =>
      bracketed === undefined
        ? new Set(termsOf(called ?? or ?? term ?? ""))
        : inBrackets(bracketed, bare),
    );
  return [...names, ...partsOf(bare, start), ...aliases].filter(isTelling).slice(0, MAX_NAMES);
}

/** The part of a joined title that a sentence of the opening words defines, and each that shares its last word. */
function partsOf(title: string, opening: string): Set<string>[] {
  const { one, other, kind } = SHARED_KIND.exec(title)?.groups ?? {};
  if (kind !== undefined) {
    return [one, other].map((part) => new Set(termsOf(`${part} ${kind}`)));
  }
  const { germ } = GERM.exec(title)?.groups ?? {};
  if (germ !== undefined) {
    return [new Set(termsOf(germ))];
  }
  const { disease } = CHRONIC.exec(title)?.groups ?? {};
  if (disease !== undefined) {
    return [new Set(termsOf(disease))];
  }
  const { head, ...both } = SHARED_HEAD.exec(title)?.groups ?? {};
  if (head !== undefined) {
    return [both.one, both.other].map((part) => new Set(termsOf(`${head} ${part}`)));
  }
  const parts = title.replace(CATEGORY, "").split(JOINED);
  const sentences = parts.length > 1 ? opening.split(/(?<=[.!?])\s+|\n+/) : [];
  const isDefined = (part: string): boolean =>
    sentences.some(
      (sentence) =>
        sentence.toLowerCase().startsWith(part.toLowerCase()) &&
        DEFINING.test(sentence.slice(part.length)),
    );
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "" && isDefined(part))
    .map((part) => new Set(termsOf(part)));
}

/** "ALS" after "Juvenile amyotrophic lateral sclerosis" has no letter for the first word, which stays part of the name. */
function inBrackets(bracketed: string, name: string): Set<string> {
  const [first = ""] = bracketed.split(/[;,]/);
  const letters = first.match(/\p{Lu}/gu)?.length ?? 0;
  const words = name.split(/[\s-]+/);
  const isShort = /^\p{Lu}[\p{Lu}\d]+s?$/u.test(first.trim());
  const missing = isShort ? words.slice(0, Math.max(0, words.length - letters)) : [];
  return new Set(termsOf([...missing, first].join(" ")));
}

/** "Type 7" alone names nothing. */
function isTelling(name: ReadonlySet<string>): boolean {
  return [...name].some((term) => !GENERIC.has(term) && !/^\d/.test(term));
}

function isNamed(name: ReadonlySet<string>, text: string): boolean {
  const words = new Set(termsOf(text));
  const own = [...name].filter((term) => !GENERIC.has(term));
  return own.length > 0 && own.every((term) => words.has(term));
}

/** Prepares a passage that isn't split into sentences, such as the words that an answer quotes. */
export function readPassage(
  passage: { title: string; text: string },
  language: LatinLanguage = "en",
): ReadPassage {
  const [title, text] = [gloss(passage.title, language), gloss(passage.text, language)];
  const sequence = readTerms(text);
  const headings = title.split(LABEL_SEPARATOR).slice(1).join(" ");
  return {
    text,
    sequence,
    own: new Set(sequence),
    context: new Set(readTerms(headings)),
    title: new Set(readTerms(title)),
    place: headings || title,
    lead: null,
    names: namesOfSubject(title, text),
  };
}
