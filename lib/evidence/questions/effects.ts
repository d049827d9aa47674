import { termsOf } from "@/lib/text/analyzer";
import type { ReadPassage } from "./passage";
import type { Question } from "./question";
import { hasAny } from "./terms";

/** "Gout can cause fever": what a subject leads to. */
const EFFECT =
  /^(?<before>[^.;:]{1,100}?)\s(?:(?:can|may|might|could|also|often|usually|sometimes|rarely|then|will|would)\s+)*(?:causes?|leads? to|results? in)\s(?<after>[^.;]*)/i;
/** "Conditions caused by kidney failure". */
const EFFECT_OF =
  /^(?!\W*(?:it|this|they|these|(?:the|this) (?:disease|condition|disorder|infection|illness|syndrome))\b)(?<after>[^.;]{0,200}?)\b(?:caused by|due to|results? (?:of|from))\s(?<before>[^.;,]*)/i;
/** "30% of people with lupus have fever": how common something is among those with the subject. */
const AMONG =
  /\bof (?:\w+ ){0,2}(?:people|patients|individuals|those|females?|males?|women|men|girls|boys|children|infants|babies|adults|cases) (?:with|who have|of) (?<before>[^.;]{1,100}?)\s(?:also |will )?(?:have|get|develop|report)\b(?<after>[^.;]*)/i;
/**
 * Finds what a sentence says is caused, prevented or treated. `otherwise`: words that show the sentence is about its
 * document's subject all the same.
 */
const DOING: Record<string, { does: RegExp; otherwise: RegExp }> = {
  causes: {
    does: /\b(?:causes?(?!\s(?:of|for|is|are|was|were|includes?|included|remains?|may|can|vary|varies)\b)|causing|leads? to|leading to|results? in|resulting in|(?:raises?|increases?) (?:the|your|a person['’]s) risk of|\bat (?:\w+ )?risk (?:of|for))\s((?:[\w'’-]+[\s,.]*){1,8})/gi,
    otherwise:
      /\b(?:caused by|due to|because|risk factors?|triggers?|reasons?|results? (?:of|from)|mutations?|increases? the (?:risk|chance))\b/i,
  },
  prevention: {
    does: /\bprevent(?:s|ing)?\s((?:(?!(?:for|in|with|among|by|is|are|when|if|from)\s)[\w'’-]+[\s,.]*){1,8})/gi,
    otherwise: /\bprevented\b|\bavoid\w*|\bprotect\w*/i,
  },
  treatment: {
    does: /\btreatments? (?:for|of) ((?:[\w'’-]+[\s,.]*){1,6})/gi,
    otherwise: /\bsymptoms?\b/i,
  },
};
const CAUSES =
  /(?<!\b(?:not|never|rarely)\s)\b(?:causes?|leads? to|results? in)\s((?:[\w'’-]+\s?){1,6})/gi;
/** An object that stands for the subject of the document. */
const OWN_OBJECT =
  /^(?:it|this|these|them)\b|\b(?:the|this) (?:disease|condition|disorder|infection|illness|syndrome|problem|cancer)\b/i;
/** "Obesity raises the risk of gout." */
const RAISES =
  /^(?<before>[^.;:]{1,120}?)\s(?:(?:can|may|also|further|greatly)\s+)*(?:raises?|increases?) (?:the|your|a person['’]s|one['’]s|their) (?:\w+ )?(?:risks?|chances?) (?:of|for)\b(?<after>[^.;]*)/i;
/** "Traits that are common in people with gout." */
const COMMON_IN =
  /^(?<after>[^.;]{0,200}?)\bcommon (?:\w+ )?(?:in|among) (?:\w+ ){0,2}(?:people|patients|individuals|those|children|adults|women|men) (?:with|who have) (?<before>[^.;,]*)/i;
/** "People with gout have a higher risk of heart disease." */
const AT_RISK =
  /\b(?:people|patients|individuals|those) (?:with|who have) (?<before>[^.;]{1,100}?)\s(?:are|have)\b[^.;]{0,60}?\brisk (?:of|for)\b(?<after>[^.;]*)/i;
/** In a document about the subject. */
const OWN_EFFECT =
  /^\W*(?:it|(?:the|this) (?:disease|condition|disorder|infection|illness|syndrome)) (?:(?:can|may|might|could|also|often|usually|sometimes|then|will) )*(?:causes?|leads? to|results? in) (?!(?:it|this|the) )/i;
const EFFECTS = [EFFECT, AMONG, AT_RISK, RAISES, COMMON_IN, EFFECT_OF];

const OF =
  /((?:[\w'’-]+\s){0,2})\b(?:complications?|symptoms?|signs?|causes?|treatments?|side effects?) of ((?:[\w'’-]+\s?){1,6})/gi;
const SYMPTOMS_OF = /\b(?:symptoms?|signs?) of ((?:[\w'’-]+\s?){1,6})/gi;
const IS_VERB = /\b(?:is|are|was|were|be)\s/i;

/** Whether a sentence, of a document that is named for the subject or not, says what the subject leads to. */
export function isEffect({ subject }: Question, text: string, isNamed: boolean): boolean {
  if (isNamed && OWN_EFFECT.test(text)) {
    return true;
  }
  const found = EFFECTS.find((pattern) => pattern.test(text))?.exec(text);
  const { before = "", after = "" } = found?.groups ?? {};
  const forms = [...subject.values()];
  const isIn = (part: string): boolean => {
    const terms = new Set(termsOf(part));
    return forms.every((same) => hasAny(terms, same));
  };
  return forms.length > 0 && isIn(before) && !isIn(after);
}

/** "Diets low in fiber may cause constipation": whether what is caused begins with the subject, with nothing but adjectives before it. */
export function isCauseOf({ subject }: Question, { text }: ReadPassage): boolean {
  const forms = [...subject.values()];
  return [...text.matchAll(CAUSES)].some(([, caused = ""]) => {
    const terms = new Set(termsOf(caused).slice(0, forms.length + 1));
    return forms.length > 0 && forms.every((same) => hasAny(terms, same));
  });
}

/** "Drusen do not usually cause vision loss" and "to prevent complications", in a document about something else. */
export function isDoneToOther(relation: string, { text, names }: ReadPassage): boolean {
  const { does, otherwise } = DOING[relation] ?? {};
  const objects = does ? [...text.matchAll(does)].map(([, object = ""]) => object) : [];
  const isOwn = (object: string): boolean => {
    const terms = new Set(termsOf(object));
    return (
      OWN_OBJECT.test(object) || names.some((name) => name.values().some((term) => terms.has(term)))
    );
  };
  return objects.length > 0 && !objects.some(isOwn) && !otherwise?.test(text);
}

/** "… are symptoms of diabetic ketoacidosis", not "the first sign can be a stroke". */
export function namesSymptomsOf({ subject }: Question, { text }: ReadPassage): boolean {
  const forms = [...subject.values()];
  return [...text.matchAll(SYMPTOMS_OF)].some(([, of = ""]) => {
    const terms = new Set(termsOf(of));
    return forms.length > 0 && forms.every((same) => hasAny(terms, same));
  });
}

/** "Diabetes may get worse: that is one of the complications of flu" says nothing of those of diabetes. */
export function isOfOther(text: string, forms: readonly ReadonlySet<string>[]): boolean {
  const others = [...text.matchAll(OF)].map(
    ([, before = "", after = ""]) =>
      new Set(termsOf(`${IS_VERB.test(before) ? "" : before} ${after}`)),
  );
  return others.length > 0 && !others.some((terms) => forms.every((same) => hasAny(terms, same)));
}
