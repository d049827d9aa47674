import { foldedTermsOf } from "./terms";

/** What a question can want to know of its subject, and how sources speak of it. */
export interface Aspect {
  name: string;
  /** Whether its words also ask for other things, so that an answer may do without them. */
  isLoose: boolean;
  /** Found in a question that wants it. */
  asked: RegExp;
  /** Found in the heading or lead of what tells it. */
  headed: RegExp;
  /** The stems that name it, in a question and in a source. */
  stems: ReadonlySet<string>;
}

const LOOSE = new Set([
  "treatment",
  "results",
  "dose",
  "preparation",
  "mechanism",
  "candidates",
  "exclusions",
  "emergency",
]);

export const ASPECTS: readonly Aspect[] = [
  aspect("symptoms", "symptom sign warning feel look recognize recognise", {
    asked: /\b(?:symptoms?|signs?|feels? like|looks? like|recogni[sz]e[ds]?)\b/i,
    headed: /\b(?:symptoms?|signs?)\b/i,
  }),
  aspect(
    "treatment",
    "treat treatable treatment therapy manage management cure remedy medicine medication drug antibiotic option relieve relief",
    {
      asked:
        /\b(?:treat\w*|therap\w*|manag\w*|cur(?:e[ds]?|able)|remed\w*|relie\w+|(?:which|what) (?:\w+ )?(?:medicines?|medications?|drugs?|antibiotics?|pills?))\b/i,
      headed: /\b(?:treat\w*|therap\w*|manag\w*|self-care)\b/i,
    },
  ),
  aspect("causes", "cause risk factor trigger reason lead spread catch", {
    asked:
      /\b(?:caus\w+|why do|why does|risk factors?|at risk|triggers?|due to|leads? to|reasons?|catch|spreads?)\b|^\W*why\W*$/i,
    headed: /\b(?:caus\w+|risk factors?|triggers?|at risk|spread)\b/i,
  }),
  aspect("diagnosis", "diagnose diagnosis test detect confirm exam", {
    asked: /\b(?:diagnos\w+|test(?:s|ed|ing)?|detect\w*|confirm\w*|screen\w*)\b/i,
    headed: /\b(?:diagnos\w+|tests?|exams?|screening)\b/i,
  }),
  aspect("harms", "side effect adverse harm danger reaction complication risk cause", {
    asked:
      /\b(?:side.?effects?|adverse|harm\w*|danger\w*|complications?|risks? of (?:tak|us|hav)\w*)\b/i,
    headed: /\b(?:side.?effects?|adverse|harms?|risks?(?! factors?)|safety|complications?)\b/i,
  }),
  aspect("dose", "dose dosage amount take taken maximum max limit daily", {
    asked:
      /\b(?:dos(?:e[sd]?|age|ing)|how much .*\b(?:take|give|use|safe|inject)|how many (?:mg|tablets?|pills?|times)|maximum|max|how (?:is|are|do i|should i|should) .*\b(?:taken?|given?|inject\w*))\b/i,
    headed: /\b(?:dos(?:es?|age|ing)|how (?:it|they) (?:is|are) (?:taken|used|given)|limits?)\b/i,
  }),
  aspect(
    "emergency",
    "emergency urgent first aid call seek help care doctor hospital ambulance 911 act step",
    {
      asked:
        /\b(?:emergency|urgent\w*|first aid|when (?:should|do|to|must)\b.*\b(?:call|see|seek|go|worry|doctor|hospital|help|care)|what (?:should|do|can|must) (?:i|you|we|one|people|someone|a person|bystanders?) do|what to do|do first|911|ambulance)\b/i,
      headed:
        /\b(?:first aid|first steps?|emergency|seek(?:ing)? (?:care|help)|what to do|when to (?:call|see|seek))\b/i,
    },
  ),
  aspect("prevention", "prevent prevention avoid protect", {
    asked: /\b(?:prevent\w*|avoid\w*|protect\w*|(?:lower|reduc\w+|cut) (?:the|my|your|a) risk)\b/i,
    headed: /\b(?:prevent\w*|protect\w*|avoid\w*)\b/i,
  }),
  aspect("interactions", "interact interaction together combine mix", {
    asked: /\b(?:interact\w*|together|combin\w+|mix\w*|along with|at the same time)\b/i,
    headed: /\binteract\w*\b/i,
  }),
  aspect("mechanism", "work mechanism action mode block", {
    asked: /\b(?:how\b.*\b(?:do|does|will|can)\b.*\bwork|mechanism|mode of action)\b/i,
    headed: /\b(?:how .* works?|mechanism|pharmacology)\b/i,
  }),
  aspect("preparation", "prepare preparation", {
    asked: /\b(?:prepar\w*|fasting|(?:to|I|you) fast|before (?:the|a|an|my) \w+)\b/i,
    headed: /\b(?:prepar\w*|before the)\b/i,
  }),
  aspect(
    "results",
    "result normal level range value mean target goal criteria threshold cutoff indicate",
    {
      asked:
        /\b(?:results?|normal|levels?|ranges?|values?|means?|targets?|goals?|criteria|thresholds?|cut-?off|(?:considered|classified|defined|counts) (?:as )?)\b/i,
      headed: /\b(?:results?|diagnosis|values?|ranges?|levels?|categor\w+|targets?|criteria)\b/i,
    },
  ),
  aspect("prognosis", "outlook prognosis expectancy survival recover course", {
    asked: /\b(?:outlook|prognosis|expectancy|survival)\b/i,
    headed: /\b(?:outlook|prognosis|survival|expectancy)\b/i,
  }),
  aspect("candidates", "need benefit recommend advise suit eligible", {
    asked: /\bwho (?:should|can|must|may|needs?|benefits?|gets?|takes?|is eligible)\b(?! not|n't)/i,
    headed: /\bwho (?:benefits?|needs?|should (?!not|avoid)|can|is it for)/i,
  }),
  aspect("exclusions", "contraindication contraindicated avoid not", {
    asked:
      /\b(?:who (?:should|can|must|may)(?: not|n't)|contraindicat\w*|should not (?:take|use)|avoid (?:taking|using))\b/i,
    headed: /\b(?:who should(?: not| avoid)|contraindicat\w*|safety)\b/i,
  }),
];

function aspect(name: string, words: string, forms: { asked: RegExp; headed: RegExp }): Aspect {
  return { name, isLoose: LOOSE.has(name), ...forms, stems: new Set(foldedTermsOf(words)) };
}
