import { termsOf } from "@/lib/text/analyzer";
import type { ReadPassage } from "./passage";
import { GENERIC, type Question } from "./question";
import { hasAny, variantsOf } from "./terms";

/** "Asthma is a …", with what comes before the verb, and what comes after it. */
const STATEMENT =
  /^(?<beginning>(?:(?!(?:is|are|was|were|not|when|if|that|which|because)\s)\S+\s+){1,14}?)(?:(?:is|are|was|were)\s+(?!not\b)(?:(?:also|usually|often|generally|sometimes|typically|simply)\s+)?(?<said>\S+(?:\s+\S+){0,4})|(?:means?|refers? to|describes?|stands? for|results? from|follows?|shows?|consists? of|measures?|scores?|grades?|estimates?)\b|(?:happens?|occurs?|develops?|begins?)\s+(?:when|if)\b)/;
/** "A transient ischemic attack (TIA) causes …" introduces a name. */
const INTRODUCTION = /^(?<beginning>(?:\S+\s+){1,10}?\(\p{Lu}{2,8}s?\))\s+(?:causes?|affects?)\s/u;
/** "Asthma is treated …" says something else about asthma. */
const NO_DEFINITION =
  /^(?:(?:\w+ly|very|quite|fairly|so|still)\s+)*(?:(?!called|known|defined|caused|characterized|marked)\w{3,}ed|found|taken|given|made|done|seen|thought|known to|unclear|unknown|due|spread|transmitted|(?:common|rare)(?!,? [\w-]+ed? |, |(?: [\w-]+)* (?:disorders?|diseases?|conditions?|cancers?|tumors?|syndromes?|infections?|illness(?:es)?|types?|forms?|group)\b)|more|less|most|about|at|on|in|for|to|under|easy|hard|difficult|dangerous|harmful|better|worse|safe|available|important|likely|able|similar|different|responsible|an? (?:\w+ )?(?:cause|risk|reason|sign|symptom|complication|side effect|(?:common|leading|major|frequent|rare|big|growing)(?! (?:[\w-]+,? ){0,3}(?:disorder|disease|condition|cancer|tumor|syndrome|infection|illness|defect|injury|type|form|group|kind)))|the (?:\w+ )?(?:most|main|second|third|leading|first|usual|only|best|cause|same))\b/i;
/** "Bronchitis is a very common condition" says nothing of it yet. */
const COMMONPLACE = /^an? (?:\w+ly |very |quite )*(?:common|rare|frequent|serious)\b/i;
const CLAUSE =
  /\b(?:that|which|characteri[sz]ed|caused by|marked by|of the|of an?|where|when|involving)\b(?! (?:is|are) (?:estimated|present|found|thought)| affects? (?:an estimated|about|approximately|around|\d))/i;
/** "Most strokes", "the most common kind of stroke": a part of what is asked about. */
const NARROWING =
  /^(?:most|some|many|all|each|every|one|another|other|this|these|such)\b|\b(?:most|kinds?|types?|forms?|causes?|symptoms?|treatments?|goals?|risks?)\s+(?:\S+\s+){0,2}of\b/i;
/** "Usher syndrome type I is …" */
const KIND_OF = /\b(?:type|stage|grade|group) [\dIVX]\w*\b/;
/** "The tumors in mycosis fungoides are …" */
const PART_OF = "^the (?:[\\w-]+ ){1,2}(?:of|in|for|from) (?:the |an? )?";
/** "With dialysis, the solution …" says nothing of dialysis. */
const ADVERBIAL =
  /^(?:with|without|in|for|during|after|before|if|when|while|because|although|as|by|on|at|like|unlike|once|since)\b/i;
/** "Espaol Angina" and "stable angina" are not what was asked. Brackets and insertions only add names. */
const INSERTION = /\([^()]*\)|,[^,]*,/g;
const PLAIN_WORD = /[^\p{L}\p{N}-]+/gu;
const ACRONYM = /^\p{Ll}?\p{Lu}{2,6}\d?$/u;
/** "A blood test called the international normalized ratio (INR)". */
const CALLED = "\\b(?:called|named|known as|measures) [^.;()]{3,60} ";
/** "Bony lumps at the finger joints are called Heberden nodes." */
const NAMED_SO = "\\b(?:is|are|were) (?:called|known as|named|termed) (?:an? |the )?";
/** Says what a thing is, beside its name: "the PHQ-9 questionnaire". */
const KIND = new Set(termsOf("questionnaire test scale tool"));
/** Words that ask for a definition. */
const FRAME = new Set(
  termsOf("mean meaning definition define describe explain tell stand know information please"),
);

/** "What is an aura in migraine?" asks for a definition, "What is the dose of …?" doesn't. */
const WHAT_IS =
  /\b(?:what|who)(?:['’]?s|s| is| are| was| were)\s+(?:(?<article>an?|the)\s+)?(?<head>[^?.!]{1,80}?)(?<rest>\s+(?:of|for|in|with|during|after|before|to|from|between)\s[^?.!]*)?(?:[?.!]|$)/i;

/** "What does naloxone do?" is answered by "Naloxone reverses …". */
const WHAT_DOES = /^\W*what (?:does|do) ([^?.!]{2,60}?) do\W*$/i;
const DOES =
  "(?:also )?(?:reduce|lower|block|relieve|prevent|help|increase|raise|stop|slow|relax|open|kill|treat|protect|replace|remove|control|work|act|make|widen|thin|reverse|restore|improve|add|weaken|strengthen|calm|dissolve|break)s?\\b";

/** Whether a definition answers the question. */
export function isForDefinition({
  isDefinition,
  isComparison,
  relations,
  text,
}: Question): boolean {
  const { article, rest } = WHAT_IS.exec(text)?.groups ?? {};
  const isPartOf =
    (article?.toLowerCase() === "the" && rest !== undefined) || /\d/.test(rest ?? "");
  return isDefinition && !isComparison && relations.length === 0 && !isPartOf;
}

/** Whether a sentence defines what the question asks about. */
export function definesSubject(
  question: Question,
  { text, names, title }: Pick<ReadPassage, "text" | "names" | "title">,
): boolean {
  if (definedTerms(question).length === 0) {
    return false;
  }
  if (spellsOut(question, text) || isNamedSo(question, text)) {
    return true;
  }
  const stated = statementIn(text);
  return stated === null
    ? explainsBeside(question, text)
    : introduces(question, { ...stated, names, title });
}

/** What a sentence says that something is; null if it says nothing of what it is. */
function statementIn(text: string): { beginning: string; said: string } | null {
  const { beginning, said = "" } = (STATEMENT.exec(text) ?? INTRODUCTION.exec(text))?.groups ?? {};
  const isBare = COMMONPLACE.test(said) && !CLAUSE.test(text);
  return beginning === undefined || isBare || NO_DEFINITION.test(said) ? null : { beginning, said };
}

/** Whether the beginning of a statement names all that is asked about, and nothing else. */
function introduces(
  question: Question,
  {
    beginning,
    said,
    names,
    title,
  }: { beginning: string; said: string } & Pick<ReadPassage, "names" | "title">,
): boolean {
  if (KIND_OF.test(beginning) && !KIND_OF.test(question.text)) {
    return false;
  }
  const isPart = new RegExp(`${PART_OF}${headOf(question.text)}\\b`, "i");
  if (isPart.test(beginning) || NARROWING.test(beginning) || ADVERBIAL.test(beginning)) {
    return false;
  }
  const defined = definedTerms(question);
  const start = new Set(termsOf(beginning));
  const isMeant = (term: string) =>
    question.terms.has(term) || defined.some(({ forms }) => forms.has(term));
  const named = names.filter((name) => [...name].every(isMeant));
  const own = named.length > 0 ? names.filter((name) => isWithin(name, start)) : [];
  const isOwn = (term: string) => isMeant(term) || own.some((name) => name.has(term));
  const extra = termsOf(beginning.replace(INSERTION, " ")).filter(
    (term) => !isOwn(term) && !GENERIC.has(term) && !KIND.has(term),
  );
  if (extra.length > 0 && !abbreviates(beginning, defined)) {
    return false;
  }
  const content = contentOf(defined);
  // The title's names. Others were found in the text, where they may be those of a kind, such as TIA for a stroke.
  const isTitled = own.some((name) => isWithin(name, title));
  const isWhole = named.some(
    (name) => [...name].filter((term) => !GENERIC.has(term)).length >= content.length,
  );
  if (isTitled && isWhole) {
    return true;
  }
  // "Zika is a virus" also says that the Zika virus is meant.
  const meant = new Set([...start, ...termsOf(said)]);
  return (
    content.some(({ forms }) => hasAny(start, forms)) &&
    defined.every(({ forms }) => hasAny(meant, forms))
  );
}

/** "A transient ischemic attack (TIA)" spells TIA out. */
function abbreviates(beginning: string, defined: readonly DefinedTerm[]): boolean {
  const [, name = ""] = /\(([^()]*)\)(?:, [^,]*,)?\s*$/.exec(beginning) ?? [];
  const terms = new Set(termsOf(name));
  return defined.every(({ forms }) => hasAny(terms, forms));
}

function isWithin(name: ReadonlySet<string>, terms: ReadonlySet<string>): boolean {
  return name.size > 0 && [...name].every((term) => terms.has(term));
}

function spellsOut({ text: question }: Question, text: string): boolean {
  const name = WHAT_IS.exec(question)?.groups?.head ?? "";
  return ACRONYM.test(name) && new RegExp(`${CALLED}\\(${name}\\)`).test(text);
}

function isNamedSo({ text: question }: Question, text: string): boolean {
  const words = headOf(question);
  return (
    words !== "" &&
    new RegExp(
      `\\b(?:an?|the) [\\w -]{3,50} (?:called|named|known as) ${words}(?=[.,;:()])|${NAMED_SO}${words}(?=[.,;:()]| (?:and|or|because|which|that)\\b)`,
      "i",
    ).test(text)
  );
}

/** What is asked about, in words that a pattern can have. */
function headOf(question: string): string {
  return (WHAT_IS.exec(question)?.groups?.head ?? "").replace(PLAIN_WORD, " ").trim();
}

/** "…, angioedema, a sudden swelling of the face": what a sentence says of a term that it uses. */
function explainsBeside({ text: question }: Question, text: string): boolean {
  const words = headOf(question);
  const [, doer = ""] = WHAT_DOES.exec(question) ?? [];
  if (doer !== "") {
    return new RegExp(
      `^\\W*${doer.replace(PLAIN_WORD, " ").trim()}s?(?: \\([^()]*\\))? ${DOES}`,
      "i",
    ).test(text);
  }
  return (
    words !== "" &&
    (new RegExp(
      `^(?:(?!(?:is|are|was|were|that|which|may|can|has|have|includes?|treats?|causes?) )[\\p{L}\\d,'’-]+ ){2,10}\\(${words}\\)`,
      "iu",
    ).test(text) ||
      (!ADVERBIAL.test(text) &&
        new RegExp(
          `(?:^|[,;:(–—]\\s*|\\b(?:the|an?|this|called|named|as|is|are|of|with|has|have|or|and|cause[sd]?|from|for|to|in|by|includ(?:es?|ing)|like|your|mean) )${words}(?:e?s)?(?: \\([^()]*\\))?, (?:an?|the|which (?:is|are|means?)) `,
          "i",
        ).test(text)))
  );
}

interface DefinedTerm {
  term: string;
  forms: ReadonlySet<string>;
}

const DEFINED = new WeakMap<Question, DefinedTerm[]>();

/** All terms of what is to be defined: of "serotonin syndrome" both, although "syndrome" says little elsewhere. */
function definedTerms(question: Question): DefinedTerm[] {
  const known = DEFINED.get(question);
  if (known) {
    return known;
  }
  const head = WHAT_IS.exec(question.text)?.groups?.head;
  const asked = head === undefined ? [...question.terms.keys()] : [...new Set(termsOf(head))];
  const terms = asked
    .filter((term) => !FRAME.has(term))
    .map((term) => ({ term, forms: new Set(variantsOf(term).keys()) }));
  const defined = contentOf(terms).length > 0 ? terms : [];
  DEFINED.set(question, defined);
  return defined;
}

function contentOf(terms: readonly DefinedTerm[]): DefinedTerm[] {
  return terms.filter(({ term }) => !GENERIC.has(term));
}
