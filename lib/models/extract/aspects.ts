import { foldedTermsOf } from "./terms";
/** What a question can want to know of its subject, and how sources speak and head of it. */
export interface Aspect {
  name: string;
  /** Found in the question. */
  asked: RegExp;
  /** Found in the heading or lead of what answers. */
  headed: RegExp;
  /** Words of the question that such a heading, or one of the other words, stands for. */
  words: string;
  stems: Set<string>;
}

export const ASPECTS: readonly Aspect[] = ([
  {
    name: "symptoms",
    asked: /\b(?:symptoms?|signs?|feels? like|looks? like|recogni[sz]e)\b/i,
    headed: /\b(?:symptoms?|signs?)\b/i,
    words: "symptom sign warning feel look recognize recognise ",
  },
  {
    name: "treatment",
    asked: /\b(?:treat\w*|therap\w*|manag\w*|cur(?:e[ds]?|able)|remed\w*|(?:which|what) (?:\w+ )?(?:medicines?|medications?|drugs?|antibiotics?|pills?)\b.*|relie\w+)\b/i,
    headed: /\b(?:treat\w*|therap\w*|manag\w*|self-care)\b/i,
    words: "treat treatable treatment therapy manage management cure remedy medicine medication drug option relieve relief",
  },
  {
    name: "causes",
    asked: /\b(?:caus\w+|why do|why does|risk factors?|at risk|triggers?|due to|leads? to|reasons?|(?:get|catch|spread)s?)\b/i,
    headed: /\b(?:caus\w+|risk factors?|triggers?|who is at risk|spread)\b/i,
    words: "cause risk factor trigger reason lead raise increase spread catch",
  },
  {
    name: "diagnosis",
    asked: /\b(?:diagnos\w+|test(?:s|ed|ing)?|detect\w*|confirm\w*|screen\w*|measur\w+)\b/i,
    headed: /\b(?:diagnos\w+|tests?|exams?|screening|technique|measure\w*)\b/i,
    words: "diagnose diagnosis test detect confirm find show exam",
  },
  {
    name: "harms",
    asked: /\b(?:side.?effects?|adverse|harm\w*|dangers?|complications?|risks? of (?:tak|us|hav|the test|a |an )\w*)\b/i,
    headed: /\b(?:side effects?|adverse|harms?|risks?$|safety|complications?)\b/i,
    words: "side effect adverse harm danger reaction complication risk cause",
  },
  {
    name: "dose",
    asked: /\b(?:dos(?:e[sd]?|age|ing)|how much .*\b(?:take|give|use|safe|inject)|how many (?:mg|tablets?|pills?|times)|maximum|max|how (?:is|are|do i|should i|should) .*\b(?:taken|take|given|inject\w*))\b/i,
    headed: /\b(?:dos(?:e|es|age|ing)|how (?:it|they) (?:is|are) (?:taken|used|given)|limits?|use)\b/i,
    words: "dose dosage amount take taken maximum max limit daily",
  },
  {
    name: "emergency",
    asked:
      /\b(?:emergency|urgent\w*|first aid|when (?:should|do|to|must)\b.*\b(?:call|see|seek|go|worry|doctor|hospital|help|care)|what (?:should|do|can|must) (?:i|you|we|one|people|someone|a person|bystanders?) do|what to do|do first|911|ambulance)\b/i,
    headed: /\b(?:first aid|first steps?|emergency|seek(?:ing)? (?:care|help)|what to do|when to (?:call|see|seek))\b/i,
    words: "emergency urgent first aid call seek help care doctor hospital ambulance 911 act step",
  },
  {
    name: "prevention",
    asked: /\b(?:prevent\w*|avoid\w*|protect\w*|(?:lower|reduc\w+|cut) (?:the|my|your|a) risk)\b/i,
    headed: /\b(?:prevent\w*|protect\w*|avoid\w*)\b/i,
    words: "prevent prevention avoid protect lower reduce risk",
  },
  {
    name: "interactions",
    asked: /\b(?:interact\w*|together|combin\w+|mix\w*|along with|at the same time)\b/i,
    headed: /\b(?:interact\w*)\b/i,
    words: "interact interaction together combine mix",
  },
  {
    name: "mechanism",
    asked: /\b(?:how\b.*\b(?:do|does|will|can)\b.*\bwork|mechanism|mode of action)\b/i,
    headed: /\b(?:how .* works?|mechanism|pharmacology)\b/i,
    words: "work mechanism action mode block",
  },
  {
    name: "preparation",
    asked: /\b(?:prepar\w*|fasting|(?:to|I|you) fast|before (?:the|a|an|my) \w+)\b/i,
    headed: /\b(?:prepar\w*|before the)\b/i,
    words: "prepare preparation",
  },
  {
    name: "results",
    asked: /\b(?:results?|normal|levels?|ranges?|values?|means?|target|goal|criteria|threshold|cut-?off|(?:considered|classified|defined|counts) (?:as )?)\b/i,
    headed: /\b(?:results?|diagnosis|values?|ranges?|levels?|categor\w+|targets?|criteria)\b/i,
    words: "result normal level range value mean target goal criteria threshold cutoff indicate",
  },
  {
    name: "prognosis",
    asked: /\b(?:outlook|prognosis|expectancy|survival)\b/i,
    headed: /\b(?:outlook|prognosis|survival|expectancy)\b/i,
    words: "outlook prognosis expectancy survival recover course",
  },
  {
    name: "candidates",
    asked: /\bwho (?:should|can|must|may|needs?|benefits?|gets?|takes?|is eligible)\b(?! not|n't)/i,
    headed: /\bwho (?:benefits?|needs?|should (?!not|avoid)|can|is it for)/i,
    words: "need benefit recommend advise suit eligible",
  },
  {
    name: "exclusions",
    asked: /\b(?:who (?:should|can|must|may)(?: not|n't)|contraindicat\w*|should not (?:take|use)|avoid (?:taking|using))\b/i,
    headed: /\b(?:who should(?: not)? |contraindicat\w*|safety)/i,
    words: "contraindication contraindicated avoid not",
  },
] as const).map((aspect) => ({ ...aspect, stems: new Set(foldedTermsOf(aspect.words)) }));
