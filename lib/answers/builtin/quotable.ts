import type { Question } from "@/lib/evidence/questions/question";
import type { Candidate } from "./corpus";
import { LISTING } from "./units";

/** Points to a text elsewhere, or to another part of its own. */
const REFERENCE =
  /^(?:these resources|here (?:are|is)\b[^:]*\.?$|to (?:learn|read|find out) more\b|you can (?:read|learn|find) (?:more|out|about|information|details|resources)\b|(?:for|more|further|additional|detailed|general|other) (?:\w+ ){0,2}(?:information|details|resources)|(?:see|visit|click|read|learn|find|check|contact|watch|browse|ask|please) )|\bthis (?:\w+ )?video\b|\bsources? (?:for|of) (?:\w+ )?information\b|https?:|\bwww\.|\bgo to ["“]|\bfor (?:more|further|additional) information\b|\binformation (?:about|on) [^.]{1,60}\b(?:can be found|is available)\b|\b(?:has|have|provides?|offers?) (?:\w+ )?information (?:on|about|for)\b|\b(?:this|the following|next|previous) (?:section|page|chapter|document|article|table|publication|booklet|list)\b|\btable below\b|\b(?:publication|booklet|fact ?sheet|web ?site|web page) (?:called|named|titled|of|at)\b|\bthe following (?:list|stages|types|are|is)\b/i;
/** Says that something isn't known, or how data were collected. */
const EMPTY =
  /\bwe (?:are|were) (?:not aware|unaware)\b|\bHuman Phenotype Ontology\b|\bnumber of the fraction\b|\brough estimate of the\b|\bapproximate number of patients\b|\bmedical dictionary\b|\bMedlinePlus\b|\bOrphanet\b|\bfrequenc(?:y|ies)\b[^.]{0,200}\b(?:fraction|listed|study|available)\b|\bin these cases\b|_{3}/i;
/** Reports on research, which answers only questions about it. */
const RESEARCH =
  /\b(?:research(?:ers)?|investigators|scientists) (?:\w+ ){0,2}(?:are|is|seek|continue|hope|supports?|conduct\w*|pursu\w*|study\w*|investigat\w*|researching)\b|\b(?:supports?|conducts?|funds?|sponsors?) (?:\w+ ){0,3}(?:research|studies|trials)\b|\bclinical trials? (?:is|are|do|does)\b|\bet al\b|\bstudied in (?:\w+ )?trials\b|\b(?:is|are) being (?:studied|tested|investigated)\b|\b(?:part|participate|enroll\w*|enter|volunteer\w*) (?:in )?(?:an? |\w+ )?(?:clinical trials?|studies|research)\b|\bresearch and information\b/i;
const RESEARCH_TITLE = /^what research\b/i;
const ASKS_FOR_RESEARCH = /\b(?:research\w*|stud(?:y|ies)|trials?|scientists?|investigat\w*)\b/i;
/** Tells of the past, which answers only questions about it. */
const HISTORY =
  /\bfirst (?:noticed|described|identified|reported|recognized|discovered) (?:in|by)\b/i;
const ASKS_FOR_HISTORY = /\b(?:when|who|history|discover\w*|first|origin\w*|named)\b/i;
/** Says nothing without the sentence before it. */
const DEPENDENT =
  /^(?:(?:some |other )?examples (?:include|are|of)|in others|others|(?:that|this)(?: is|['’]s) (?:why|how|because)|for (?:example|instance|this reason)|as a result|therefore|if so|instead|in addition|and|or)\b/i;
/** The rest of a sentence that was cut: "fallopian tube, and …". Names such as "mRNA" and "eGFR" begin like this, too. */
const CUT = /^(?:\p{Ll}+[\s,;]|\([^)]*$)/u;
const OPEN_END =
  /[,;:]$|\b(?:includes?|when|if|that|who|which|and|or|the|as|with|of|to|have|has|is|are|by|from|for)$/;
const OPEN_LIST = /\bincludes?$/;
/** What something depends on says little of it. */
const DEPENDS = /\bdepend\w*/i;
/** Where a heading or an item and the sentence after it were run together: "Quit Smoking If you smoke, …". */
const RUN_TOGETHER =
  /\p{L}\s+(?:Treatments?(?= (?:depend|include|is|are|may))|To|The|If|Your|You|There|This|These|When|They|Most|Some|People|It|No|Doctors|Many|Anyone)\s+\p{Ll}/u;
/** Introduces who treats something, or what a treatment does besides. */
const BESIDE = /\b(?:specialists|health professionals|(?:side|late) effects)\b[^:.]*:?$/i;
const ASKS_BESIDE =
  /\b(?:who|doctors?|specialists?|side|late|effects?|harm\w*|complications?|risks?)\b/i;
/** A listed thing with what came after the list: "Fatigue Tests include x-rays. Not everyone …". */
const FURTHER = /[.!?]\s+\p{Lu}/u;
/** The name of another page in a list. */
const PAGE =
  /^(?:\p{Lu}\S*\s+){2,}(?:\S+\s+)*(?:Treatment|Prevention|Screening|Overview|Research)$/u;
/** Stands for a subject that an earlier sentence names. */
const POINTING =
  /^(?:this|these|those|such|it|they|he|she|its|their|but|however|also|another|others?)\b|^\w+ in (?:this|these)\b|\b(?:with|of|have|has|in|by|from|for) (?:this|these) (?:conditions?|disorders?|diseases?|syndromes?)\b/i;

const PLACEHOLDER =
  /\b(?:many|several) (?:\w+ )?reasons?\b(?!.*(?::|including|such as|because|like\b))|\b(?:some|certain|other) (?:people|groups|men|women|children) (?:are|may be) at (?:higher|increased|greater) risk(?: than others)?\W*$|^\W*(?:other|additional|different|rare|sporadic) (?:\([^)]*\) )?(?:causes|triggers|forms|symptoms) (?:[\w-]+ ){0,6}have (?:also )?been (?:reported|described)(?: in the (?:medical )?literature)?\W*$/i;

/** Whether a sentence says something by itself. */
export function isQuotable(
  { text, lead, list, source }: Candidate,
  { text: question }: Question,
): boolean {
  const isFragment = list === null ? CUT.test(text) || OPEN_END.test(text) : OPEN_LIST.test(text);
  return (
    !text.endsWith("?") &&
    !isFragment &&
    !(list !== null && (isRunTogether(text) || PAGE.test(text))) &&
    (lead === null || isListed(text, lead, question)) &&
    !REFERENCE.test(lead ?? text) &&
    !REFERENCE.test(text) &&
    !EMPTY.test(text) &&
    !(list === null && DEPENDENT.test(text)) &&
    (!(RESEARCH.test(text) || RESEARCH_TITLE.test(source.title)) ||
      ASKS_FOR_RESEARCH.test(question)) &&
    (!HISTORY.test(text) || ASKS_FOR_HISTORY.test(question))
  );
}

/** Whether a list is about what is asked, and its item nothing but an item. */
function isListed(text: string, lead: string, question: string): boolean {
  return (
    !(LISTING.test(lead) && FURTHER.test(text)) &&
    !(BESIDE.test(lead) && !ASKS_BESIDE.test(question)) &&
    !(DEPENDS.test(lead) && !DEPENDS.test(question))
  );
}

/** Whether it announces an answer without giving it: "There are many reasons", "Other causes have been reported." */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

/** Whether a sentence needs an earlier one to say what it is about. */
export function pointsBack({ text, list }: Candidate): boolean {
  return list === null && POINTING.test(text);
}

export function isRunTogether(text: string): boolean {
  return RUN_TOGETHER.test(text);
}
