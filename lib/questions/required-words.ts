import { termsOf } from "@/lib/text/analyzer";
import { isCommonWord } from "@/lib/text/common-words";
import type { Question } from "./question";

/** "Half an hour", "several weeks", "daily", "no fasting"; not "on the day". */
function timeIn(units: string): RegExp {
  return new RegExp(
    `(?:\\d|\\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|few|couple|half|an?|same|next|first|each|every))[^.;]{0,20}\\b(?:${units})\\b|\\b(?:daily|weekly|monthly|yearly|lifelong|no|not|never)\\b`,
    "i",
  );
}

const DENIES =
  /\b(?:not|never|no|none|without|cannot|neither|nor|avoid\w*|contraindicat\w*|unsafe|unsuitable|harm\w*|rather than|instead|except\w*|exclud\w*|free|less|lacks?|lacking|rarely|worsen\w*|dangerous|ineffective|fail\w*|unable|unlikely|stop\w*|normal\w*|only|alone|poor\w*|weak\w*|absent|absence|(?<!\ba )(?:little|few)|non\w*|before|until|but|against|discourag\w*)\b|n['’]t\b/i;
/** What a question asks, and what every answer to it has. */
const REQUIREMENTS: readonly { asks: RegExp; has: RegExp }[] = [
  // "Which pain relievers should not be taken with warfarin?"
  {
    asks: /^\W*(?:which|what|who|(?:when|where|how) (?:must|should|can|may))\b(?:(?!\b(?:if|when|because|that|since|while|unless)\b)[^.?!,]){0,100}?(?:\b(?:not|never)\b|n['’]t\b)/i,
    has: DENIES,
  },
  // "Who can donate?"
  {
    asks: /^\W*who(?:m|se)?\b(?! (?:discovered|invented|described|named|found|first|was|were)\b)/i,
    has: /\b(?:people|persons?|adults?|child\w*|wom[ae]n|m[ae]n|patients?|anyone|those|individuals?|bab(?:y|ies)|infants?|newborns?|someone|everyone|clinicians?|doctors?|physicians?|nurses?|specialists?|providers?|workers?|relatives?|parents?|mothers?|fathers?|males?|females?|boys?|girls?|teen\w*|adolescents?|students?|travell?ers?|smokers?|famil(?:y|ies)|siblings?|populations?|descent|ancestry|americans?|you|carriers?|\w+ologists?|surgeons?|dentists?|team|members?|athletes|users?|drinkers?|pregnan\w*|elderly|older|young\w*|researchers?|scientists?|groups?|victims?|veterans|who)\b/i,
  },
  // "What percentage of people recover?"
  {
    asks: /\b(?:what|which) (?:percent\w*|share|proportion|fraction)\b|\bhow many\b|\bhow much (?!(?:is|are|was) (?:known|understood)\b)|\b(?:maximum|highest|max|largest|recommended|usual|starting|lowest) (?:\w+ ){0,2}dose\b|\b(?:what|which) (?:SPF|(?:blood pressure|temperature|BMI|INR) (?:is|are|should|do|does))\b/i,
    has: /(?<![A-Za-z])\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|half|halves|thirds?|quarters?|fifths?|tenths?|all|none|no|most|majority|every|each|both|single|once|twice|dozens?|hundreds?|thousands?|millions?|billions?|several|few|fewer|many|never|not|double\w*|triple\w*|\w+fold|pair|minority|nearly|always|first|second|any|lifelong)\b/i,
  },
  // "How many micrograms a day should I take?"
  {
    asks: /\bhow (?:many|much) (?:mc?g|micrograms?|milligrams?|grams?|units?|puffs?)\b|\b(?:what|which) (?:\w+ )?dose\b/i,
    has: /\d ?(?:mc?g|µg|g|ml|IU|units?|puffs?|drops?|tablets?|capsules?|doses?|micrograms?|milligrams?|grams?|%)\b|\b(?:one|two|three|four|half|double\w*|twice|same|none|never|not?|lower|higher) /i,
  },
  // "How many weeks does it take?"
  {
    asks: /\bhow many (?:\w+ )?(?:weeks|months|years)\b/i,
    has: timeIn("days?|weeks?|months?|years?|decades?"),
  },
  // "How many hours does it take?"
  {
    asks: /\bhow many (?:\w+ )?(?:minutes|hours|days)\b/i,
    has: timeIn("minutes?|hours?|days?|weeks?|months?|years?"),
  },
  // "How effective is it?"
  {
    asks: /\bhow (?:effective|successful) (?:is|are|was|were)\b|\bhow well (?:does|do|did) [^?]{1,60}\bwork\b/i,
    has: /%|\b(?:effect(?:s|ive\w*)?|success\w*|works?|percent|reduc\w*|lower\w*|rais\w*|prevent\w*|protect\w*|improv\w*|help\w*|benefit\w*|cur\w*|surviv\w*|respon\w*|better|reliev\w*|half|third|shorten\w*|slow\w*|fail\w*|treat\w*)\b/i,
  },
  // "Why is it called that?"
  {
    asks: /\bwhy (?:is|are|was|were) [^?]{1,60}\b(?:called|named)\b|\bget (?:its|their) names?\b/i,
    has: /\b(?:names?|named|called|terms?|refers?|deriv\w+|Greek|Latin)\b/i,
  },
  // "Why is it taken once a week?"
  {
    asks: /\bwhy\b/i,
    has: /\b(?:because|since|due to|so|thus|therefore|reasons?|caus\w*|leads?|leading|results?|trigger\w*|prevent\w*|avoid\w*|reduc\w*|lower\w*|rais\w*|increas\w*|help\w*|protect\w*|not|never|no|cannot|can|may|could|by|from|when|if|as|rather|allow\w*|makes?|than|more|less|without|both|equal\w*|harm\w*|safe|needs?|block\w*|slow\w*|stop\w*|injur\w*|damag\w*|kill\w*|destroy\w*|lack\w*|carr(?:y|ies)|associated)\b|n['’]t\b/i,
  },
];
/** "In which country …?" */
const ASKS_PLACE =
  /\b(?:which|what) (?:\w+ )?(?:countr(?:y|ies)|communit(?:y|ies)|regions?|states?|cit(?:y|ies)|part of the world|populations?|ethnic groups?)\b/i;
/** Begins with a capital, but no sentence. */
const PROPER = /(?<=[\p{Ll}\d,;:(–-]\s?)\p{Lu}\p{Ll}+/gu;
const AREA =
  /\b(?:world\w*|countries|everywhere|tropic\w*|northern|southern|eastern|western|rural|urban)\b/i;
/** Asks for something that has a name. */
const ASKS_NAME =
  /\b(?:which|what) (?:(?:kinds?|types?|sorts?) of |(?:one|two|three|first|main|other|new|best) )*(?:drugs?|medicines?|medications?|antibiotics?|pain ?killers?|pain relievers?|(?:\w+ )?pills?|moisturi[sz]ers?|bacteri(?:a|um)|germs?|genes?|enzymes?|proteins?|amino acids?)\b/i;
/** Names that are common words, too, or a denial that there is one. */
const NAMED =
  /\b(?:aspirin|ibuprofen|insulin|penicillins?|(?:cortico)?steroids?|antibiotics?|antivirals?|antihistamines?|antidepressants?|diuretics?|opioids?|statins?|hormones?|vaccines?|coli|staph\w*|strep\w*|salmonella|none|not?|never)\b|n['’]t\b/i;
const ACRONYM = /^[A-Z][A-Z\d-]+$/;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}-]*/gu;
const ASKED_AGE =
  /\b(\d{1,2})[- ](?:years?|yrs?)[- ]old\b|\bage[d]? (\d{1,2})\b(?![- ](?:months?|weeks?|days?))/i;
const FROM_AGE =
  /\b(?:ages?|aged|over|older than|from|at least) (\d{1,2})(?: years?)? (?:and|or) (?:older|over|above|up)\b|\b(\d{1,2}) years (?:and|or) (?:older|over|above)\b|\b(?:over|older than) (?:age |the age of )?(\d{1,2})\b(?! ?(?:kg|mg|ml|lb|pounds|%|percent|hours?|minutes?|days?|weeks?|months?|degrees|°))/gi;
/** Where a question has one and a text only the other, the text is about something else. */
const OPPOSITES = [
  [/\bextended[- ]release\b/i, /\bimmediate[- ]release\b/i],
  [/\blong[- ]acting\b/i, /\b(?:short|rapid)[- ]acting\b/i],
  [/\boveractive\b/i, /\bunderactive\b/i],
  [/\bsystolic\b/i, /\bdiastolic\b/i],
] as const;

/**
 * A test for what every answer to a question has, such as a number if it asks how many and a name if it asks which drug.
 * A text about the opposite, or only about people older than the one asked about, fails it.
 */
export function requirementOf(question: Question): (said: string) => boolean {
  const { text, excluded } = question;
  const asked = REQUIREMENTS.flatMap(({ asks, has }) => (asks.test(text) ? has : []));
  const required = excluded.size > 0 ? [DENIES, ...asked] : asked;
  const asksName = ASKS_NAME.test(text);
  const asksPlace = ASKS_PLACE.test(text);
  return (said) =>
    required.every((pattern) => pattern.test(said)) &&
    (!asksName || hasName(question, said)) &&
    (!asksPlace || hasPlace(question, said)) &&
    !isForOlder(text, said) &&
    !isOpposite(text, said);
}

/** Whether a text has a name that the question doesn't have. */
function hasName({ terms }: Question, said: string): boolean {
  const isName = (word: string): boolean => {
    const stems = termsOf(word);
    const isCommon = [word.toLowerCase(), ...stems].some(isCommonWord);
    return (
      (ACRONYM.test(word) || (word.length > 2 && !isCommon)) &&
      !stems.some((stem) => terms.has(stem))
    );
  };
  return NAMED.test(said) || (said.match(WORD) ?? []).some(isName);
}

function hasPlace({ terms }: Question, said: string): boolean {
  const names = said.match(PROPER) ?? [];
  return AREA.test(said) || names.some((name) => !termsOf(name).some((term) => terms.has(term)));
}

function isForOlder(asked: string, said: string): boolean {
  const age = numberIn(ASKED_AGE.exec(asked));
  const ages = age === null ? [] : [...said.matchAll(FROM_AGE)].map(numberIn);
  return age !== null && ages.length > 0 && ages.every((from) => from !== null && from > age);
}

function isOpposite(asked: string, said: string): boolean {
  const isOne = (one: RegExp, other: RegExp): boolean =>
    one.test(asked) && !other.test(asked) && other.test(said) && !one.test(said);
  return OPPOSITES.some(([one, other]) => isOne(one, other) || isOne(other, one));
}

function numberIn(match: RegExpMatchArray | null): number | null {
  const found = match?.slice(1).find((group) => group !== undefined);
  return found === undefined ? null : Number(found);
}
