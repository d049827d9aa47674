import type { Question } from "./question";

/** "Which pain relievers should not be taken with warfarin?" */
const ASKS_DENIAL =
  /^\W*(?:which|what|who|(?:when|where|how) (?:must|should|can|may))\b(?:(?!\b(?:if|when|because|that|since|while|unless)\b)[^.?!,]){0,100}?(?:\b(?:not|never)\b|n['’]t\b)/i;
const DENIES =
  /\b(?:not|never|no|none|without|cannot|neither|nor|avoid\w*|contraindicat\w*|unsafe|unsuitable|harm\w*|rather than|instead|except\w*|exclud\w*|free|less|lacks?|lacking|rarely|worsen\w*|dangerous|ineffective|fail\w*|unable|unlikely|stop\w*|normal\w*|only|alone|poor\w*|weak\w*|absent|absence|(?<!\ba )(?:little|few)|non\w*|miss\w*|before|until|but|against|discourag\w*)\b|n['’]t\b/i;
const ASKS_WHO =
  /^\W*who(?:m|se)?\b(?! (?:discovered|invented|described|named|found|first|was|were)\b)/i;
const PEOPLE =
  /\b(?:people|persons?|adults?|child\w*|wom[ae]n|m[ae]n|patients?|anyone|those|individuals?|bab(?:y|ies)|infants?|newborns?|someone|everyone|clinicians?|doctors?|physicians?|nurses?|specialists?|providers?|workers?|relatives?|parents?|mothers?|fathers?|males?|females?|boys?|girls?|teen\w*|adolescents?|students?|travell?ers?|smokers?|famil(?:y|ies)|siblings?|populations?|descent|ancestry|americans?|you|carriers?|\w+ologists?|surgeons?|dentists?|team|members?|athletes|users?|drinkers?|pregnan\w*|elderly|older|young\w*|researchers?|scientists?|groups?|victims?|veterans|who)\b/i;

/** "What percentage of …?", "How many …?", "What is the maximum dose of …?" */
const ASKS_NUMBER =
  /\b(?:what|which) (?:percent\w*|share|proportion|fraction)\b|\bhow many\b|\bhow much (?:of|does|do|is|should)\b|\b(?:maximum|highest|max|largest|recommended|usual|starting|lowest) (?:\w+ ){0,2}dose\b|\b(?:what|which) (?:\w+ )?dose\b/i;
const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|half|halves|thirds?|quarters?|fifths?|tenths?|all|none|no|most|majority|every|each|both|single|once|twice|dozens?|hundreds?|thousands?|millions?|billions?|several|few|fewer|many|never|not|double\w*|triple\w*|\w+fold|pair|minority|nearly|always|first|second|any|lifelong)\b/i;
const ASKED_AGE =
  /\b(\d{1,2})[- ](?:years?|yrs?)[- ]old\b|\bage[d]? (\d{1,2})\b(?![- ](?:months?|weeks?|days?))/i;
const FROM_AGE =
  /\b(?:ages?|aged|over|older than|from|at least) (\d{1,2})(?: years?)? (?:and|or) (?:older|over|above|up)\b|\b(\d{1,2}) years (?:and|or) (?:older|over|above)\b|\b(?:over|older than) (?:age |the age of )?(\d{1,2})\b(?! ?(?:kg|mg|ml|lb|pounds|%|percent|hours?|minutes?|days?|weeks?|months?|degrees|°))/gi;

/**
 * Whether a text lacks what every answer to a question has: a denial if the question asks for what isn't so, people if
 * it asks who, a number if it asks how many. Also whether it is only about people older than the one asked about.
 */
export function lacksRequiredWords(question: Question, said: string): boolean {
  const { text, excluded } = question;
  return (
    ((ASKS_DENIAL.test(text) || excluded.size > 0) && !DENIES.test(said)) ||
    (ASKS_WHO.test(text) && !PEOPLE.test(said)) ||
    (ASKS_NUMBER.test(text) && !NUMBER.test(said)) ||
    isForOlder(text, said)
  );
}

function isForOlder(asked: string, said: string): boolean {
  const age = numberIn(ASKED_AGE.exec(asked));
  const ages = age === null ? [] : [...said.matchAll(FROM_AGE)].map(numberIn);
  return age !== null && ages.length > 0 && ages.every((from) => from !== null && from > age);
}

function numberIn(match: RegExpMatchArray | null): number | null {
  const found = match?.slice(1).find((group) => group !== undefined);
  return found === undefined ? null : Number(found);
}
