import { termsOf } from "@/lib/text/analyzer";
import type { Question } from "./question";

const DENIES =
  /\b(?:not|never|no|none|without|cannot|neither|nor|avoid\w*|contraindicat\w*|unsafe|unsuitable|harm\w*|rather than|instead|except\w*|exclud\w*|free|less|lacks?|lacking|rarely|worsen\w*|dangerous|ineffective|fail\w*|unable|unlikely|stop\w*|normal\w*|only|limit\w*|skip\w*|banned|allerg\w*|alone|poor\w*|weak\w*|absent|absence|(?<!\ba )(?:little|few)|non\w*|before|until|but|against|discourag\w*)\b|n['’]t\b/i;
const NUMBER =
  /(?<![A-Za-z])\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|half|halves|thirds?|quarters?|fifths?|tenths?|all|none|no|most|majority|every|each|both|single|once|twice|dozens?|hundreds?|thousands?|millions?|billions?|several|few|fewer|many|never|not|double\w*|triple\w*|\w+fold|pair|minority|nearly|always|first|second|any|lifelong|enough|avoid\w*|overnight|until|daily|weekly)\b/i;
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
    asks: /\b(?:what|which) (?:percent\w*|share|proportion|fraction)\b|\bhow many\b|\b(?:maximum|highest|max|largest|recommended|usual|starting|lowest) (?:\w+ ){0,2}dose\b|\b(?:what|which) (?:SPF|(?:blood pressure|BMI|INR) (?:is|are|should|do|does))\b/i,
    has: NUMBER,
  },
  // "How much should I take?"
  {
    asks: /\bhow much\b(?! (?:is|are|was) (?:known|understood)\b)/i,
    has: new RegExp(
      `${NUMBER.source}|\\b(?:little|small|tiny|thin|amounts?|heavy|mild|low|couple|pea|smear|layer|brief\\w*|greatly|slightly|as \\w+ as)\\b`,
      "i",
    ),
  },
  // "How many micrograms a day should I take?"
  {
    asks: /\bhow (?:many|much) (?:mc?g|micrograms?|milligrams?|grams?|units?|puffs?)\b|\b(?:what|which) (?:\w+ )?dose (?:of|is|are|should|do|does|can|for|to)\b/i,
    has: /\d ?%|\d[ -]?(?:mc?g|µg|g|kg|ml|IU|mEq|Gy|gray|million|(?:\w+ )?units?|inhalations?|puffs?|drops?|sprays?|patch(?:es)?|teaspoons?|tablets?|capsules?|pills?|doses?|micrograms?|milligrams?|grams?)\b|\b(?:one|two|three|four|five|six|eight|ten|half|double\w*|twice|same|none|never|not?|avoid\w*|depends?|as soon as|lower|higher)\b/i,
  },
  // "How many weeks does it take?"
  {
    asks: /\bhow many (?:\w+ )?(?:weeks|months|years)\b/i,
    has: /\b(?:days?|weeks?|months?|years?|decades?|monthly|yearly|weekly|daily|birth|life\w*|no|not|never|avoid\w*|until)\b/i,
  },
  // "How many hours does it take?"
  {
    asks: /\bhow many (?:\w+ )?(?:minutes|hours|days)\b/i,
    has: /\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|hrs?|daily|weekly|overnight|no|not|never|avoid\w*|until)\b/i,
  },
  // "Which antibiotics treat it?"
  {
    asks: /\b(?:which|what) antibiotics?\b(?! side effects?)/i,
    has: /antibiotic|cillin|m[iy]cin|floxacin|cyclin|\bcef|\bcepha|sulfa|oxazole|trimethoprim|nidazole|nitrofurantoin|penem|\brif[ax]|isoniazid|ethambutol|pyrazinamide|zolid|dapsone|chloramphenicol|mupirocin|colistin|glycosides?|macrolides?|quinolones?|\b(?:no|not|none|never|avoid\w*)\b/i,
  },
  // "How effective is it?"
  {
    asks: /\bhow (?:effective|successful) (?:is|are|was|were)\b|\bhow well (?:does|do|did) [^?]{1,60}\bwork\b/i,
    has: /%|\b(?:\d+|one|two|nine) (?:in|of|out of)\b|\b(?:kill\w*|clear\w*|control\w*|(?<!side )effect(?:s|ive\w*)?|effica\w+|success\w*|works?|percent|reduc\w*|lower\w*|rais\w*|prevent\w*|protect\w*|improv\w*|help\w*|benefit\w*|cur\w*|surviv\w*|respon\w*|better|reliev\w*|eas\w+|half|third|shorten\w*|shrink\w*|slow\w*|fail\w*|evidence)\b/i,
  },
  // "Why is it called that?"
  {
    asks: /\bwhy (?:is|are|was|were) [^?]{1,60}\b(?:called|named)\b|\bget (?:its|their) names?\b/i,
    has: /\b(?:names?|named|called|terms?|refers?|deriv\w+|Greek|Latin)\b/i,
  },
  // "Why is it taken once a week?"
  {
    asks: /(?:^|[.?!,;:]\s*|\b(?:and|but|so) )why\b(?![^?]{1,80}\b(?:called|named)\b)/i,
    has: /\b(?:because|since|due to|so|thus|therefore|reasons?|caus\w*|leads?|leading|results?|trigger\w*|prevent\w*|avoid\w*|reduc\w*|lower\w*|rais\w*|increas\w*|help\w*|protect\w*|not|never|no|cannot|can|may|could|by|from|when|if|as|to (?:confirm|check|see|find|treat|make)|rather|allow\w*|lets?|mak(?:es?|ing)|builds?|becom\w*|filters?|clears?|than|more|less|only|without|both|equal\w*|harm\w*|safe|need\w*|block\w*|slow\w*|stop\w*|injur\w*|damag\w*|kill\w*|destroy\w*|lack\w*|carr(?:y|ies)|associated|side effects?|symptoms?|signs?|turns?|improv\w*|affects?|effects?|shows?)\b|n['’]t\b/i,
  },
  // "How common is it?"
  {
    asks: /\bhow (?:common|rare|frequent|prevalent) (?:is|are)\b/i,
    has: /(?<![A-Za-z])\d|%|\b(?:common\w*|uncommon|rare\w*|frequen\w*|percent|most|few|many|estimated|million|thousand|unknown|half|third|quarter|seldom|often|unusual|widespread)\b/i,
  },
  // "At what age does it start?"
  {
    asks: /\b(?:at )?(?:what|which) age\b|\bhow old\b/i,
    has: /(?<![A-Za-z])\d|\b(?:age[ds]?|years?|months?|weeks?|birth|born|newborns?|infan\w*|bab(?:y|ies)|child\w*|teen\w*|adolescen\w*|puberty|adult\w*|decades?|mid-?life|middle|elderly|older|young\w*|life|early|late\w*|twenties|thirties|forties|fifties|sixties)\b/i,
  },
  // "How accurate is the test?"
  {
    asks: /\bhow (?:accurate|reliable|sensitive|specific) (?:is|are)\b/i,
    has: /%|(?<![A-Za-z])\d|\b(?:accura\w*|reliab\w*|sensitiv\w*|specific\w*|percent|miss\w*|false|not|never|detects?|wrong|errors?)\b/i,
  },
];
/** "In which country …?" */
const ASKS_PLACE =
  /\b(?:which|what) (?:\w+ )?(?:countr(?:y|ies)|communit(?:y|ies)|part of the world|ethnic groups?)\b(?! (?:resources?|support|services?|health))/i;
/** A capitalized word inside a sentence. */
const PROPER = /(?<=[\p{Ll}\d,;:(–-]\s?)\p{Lu}\p{Ll}+/gu;
const AREA =
  /\b(?:world\w*|countries|everywhere|tropic\w*|northern|southern|eastern|western|rural|urban)\b/i;
const ABBREVIATED = /\b(?:U\.S\.|US\b|UK\b)/;
/** "Which gene is changed?", not "What gene therapy is there?" */
const ASKS_GENE =
  /\b(?:which|what) (?:\w+ )?(?:genes?|enzymes?)\b(?! (?:therapy|therapies|tests?|testing|replacement)\b)/i;
/** "KRAS", "p53", "c-kit", "aldolase", "trypsin", "the dystrophin gene". */
const GENE_NAME =
  /\b(?:[A-Z][A-Z\d-]+|\w*\d\w*|\p{Ll}-\p{L}+|\w{3,}ases?|\w{3,}ins?|(?<=\bthe )(?!same|other|different|changed|altered|mutated|missing)\w{4,}(?= gene\b))\b/gu;
const NO_GENE_NAME =
  /^(?:disease|increase|decrease|release|phase|database|please|purchase|chase|base|case)s?$|^(?:\d+\w*|DNA|RNA|MRI|CT|US|UK|x-ray|begins?|contains?|remains?|brains?|certain|\w*proteins?|again|origins?|within|pain|skin|main)$/i;
const DENIES_NAME = /\b(?:no|not|none|never|unknown)\b|n['’]t\b/i;
const ASKED_AGE =
  /\b(\d{1,2})[- ](?:years?|yrs?)[- ]old\b|\bage[d]? (\d{1,2})\b(?![- ](?:months?|weeks?|days?))/i;
const FROM_AGE =
  /\b(?:ages?|aged|over|older than|from|at least) (\d{1,2})(?: years?)? (?:and|or) (?:older|over|above|up)\b|\b(\d{1,2}) years (?:and|or) (?:older|over|above)\b|\b(?:over|older than) (?:age |the age of )?(\d{1,2})\b(?! ?(?:kg|mg|ml|lb|pounds|%|percent|hours?|minutes?|days?|weeks?|months?|degrees|°))/gi;
const ASKS_DOSE = /\bdos(?:e|es|age)\b/i;
/** A dose of the one isn't a dose of the other. */
const RELEASES = [/\bextended[- ]release\b/i, /\bimmediate[- ]release\b/i] as const;

/**
 * A test for what every answer to a question has, such as a number if it asks how many, or a name if it asks which gene.
 * A text about another form of a drug, or only about people older than the one asked about, fails it.
 */
export function requirementOf(question: Question): (said: string) => boolean {
  const { text, excluded } = question;
  const asked = REQUIREMENTS.flatMap(({ asks, has }) => (asks.test(text) ? has : []));
  const required = excluded.size > 0 ? [DENIES, ...asked] : asked;
  const asksGene = ASKS_GENE.test(text);
  const asksPlace = ASKS_PLACE.test(text);
  return (said) =>
    required.every((pattern) => pattern.test(said)) &&
    (!asksGene || namesGene(question, said)) &&
    (!asksPlace || hasPlace(question, said)) &&
    !isForOlder(text, said) &&
    !isOtherRelease(text, said);
}

/** Whether a text names a gene or an enzyme that the question doesn't name, or says that there is none. */
function namesGene({ terms }: Question, said: string): boolean {
  const names = (said.match(GENE_NAME) ?? []).filter((name) => !NO_GENE_NAME.test(name));
  return (
    DENIES_NAME.test(said) || names.some((name) => !termsOf(name).some((term) => terms.has(term)))
  );
}

function hasPlace({ terms }: Question, said: string): boolean {
  const names = said.match(PROPER) ?? [];
  return (
    AREA.test(said) ||
    ABBREVIATED.test(said) ||
    names.some((name) => !termsOf(name).some((term) => terms.has(term)))
  );
}

function isForOlder(asked: string, said: string): boolean {
  const age = numberIn(ASKED_AGE.exec(asked));
  const ages = age === null ? [] : [...said.matchAll(FROM_AGE)].map(numberIn);
  return age !== null && ages.length > 0 && ages.every((from) => from !== null && from > age);
}

function isOtherRelease(asked: string, said: string): boolean {
  const isAsked = RELEASES.map((release) => release.test(asked));
  const isSaid = RELEASES.map((release) => release.test(said));
  const isDifferent = RELEASES.some(
    (_, at) => isAsked[at] && !isAsked[1 - at] && isSaid[1 - at] && !isSaid[at],
  );
  return ASKS_DOSE.test(asked) && isDifferent;
}

function numberIn(match: RegExpMatchArray | null): number | null {
  const found = match?.slice(1).find((group) => group !== undefined);
  return found === undefined ? null : Number(found);
}
