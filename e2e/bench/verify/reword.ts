import type { Random } from "../search/random";

/**
 * Light rewording that keeps a sentence's meaning. Its tables are separate from the verifier's and include words that
 * the verifier doesn't know, as in a real model's output.
 */
const SWAPS: readonly (readonly [RegExp, string])[] = [
  [/\bhowever,\s*/i, ""],
  [/\bmoreover,\s*/i, ""],
  [/\bfurthermore,\s*/i, ""],
  [/\bin addition,\s*/i, ""],
  [/\bshowed\b/, "demonstrated"],
  [/\bshow that\b/, "reveal that"],
  [/\bfound that\b/, "saw that"],
  [/\bin order to\b/, "to"],
  [/\bdue to\b/, "because of"],
  [/\bsuch as\b/, "like"],
  [/\bapproximately\b/, "about"],
  [/\bpatients\b/, "people"],
  [/\bchildren\b/, "kids"],
  [/\bphysicians\b/, "doctors"],
  [/\bdrugs\b/, "medicines"],
  [/\bkidney\b/, "renal"],
  [/\bhepatic\b/, "liver"],
  [/\btumors\b/, "tumours"],
  [/\btumor\b/, "tumour"],
  [/\bhypertension\b/, "high blood pressure"],
  [/\bmyocardial infarction\b/, "heart attack"],
  [/\bmortality\b/, "death rate"],
  [/\bassociated with\b/, "linked to"],
  [/\bcrucial\b/, "essential"],
  [/\bobtained\b/, "gathered"],
  [/\bassess\b/, "evaluate"],
  [/\bevaluated\b/, "assessed"],
  [/\binvestigated\b/, "studied"],
  [/\bincreased\b/, "raised"],
  [/\bdecreased\b/, "reduced"],
  [/\belevated\b/, "raised"],
  [/\bwomen\b/, "females"],
  [/\bbegin\b/, "start"],
  [/\bcommon\b/, "frequent"],
  [/\bsuggest that\b/, "indicate that"],
];
const ADVERBS =
  /\b(?:significantly|strongly|markedly|highly|recently|previously|generally|potentially|specifically|particularly|importantly|substantially|clearly|largely|mainly|primarily|widely),?\s/i;
const SPELT = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const MEASURES: readonly (readonly [RegExp, string])[] = [
  [/(\d)\s?%/g, "$1 percent"],
  [/(\d) ?mg\b(?![/.-])/g, "$1 milligrams"],
  [/(\d) ?kg\b(?![/.-])/g, "$1 kilograms"],
  [/(\d) ?h\b(?![/.-])/g, "$1 hours"],
  [
    /(\d+(?:\.\d+)?)[-–](\d+(?:\.\d+)?)(?= ?(?:%|percent|years|weeks|days|months|hours|mg|ml))/g,
    "$1 to $2",
  ],
  [/\bmmol\/l\b/gi, "mmol per litre"],
  [/\btwice daily\b/g, "two times a day"],
];
const MAX_SWAPS = 2;

/** Rewords a sentence; null if nothing can be changed. */
export function reword(sentence: string, random: Random): string | null {
  const swapped = swap(sentence, random);
  const measured = MEASURES.reduce((text, [form, put]) => text.replace(form, put), swapped);
  const spelt = measured.replace(
    /(?<=\s)(\d{1,2})(?= (?:patients|people|studies|trials|groups|years|weeks|months|days|genes|cases)\b)/g,
    (digits) => SPELT[Number(digits)] ?? digits,
  );
  const moved = moveOpening(spelt.replace(ADVERBS, ""));
  return moved === sentence ? null : moved;
}

function swap(sentence: string, random: Random): string {
  const apt = random.shuffle(SWAPS.filter(([form]) => form.test(sentence)));
  return apt.slice(0, MAX_SWAPS).reduce((text, [form, put]) => text.replace(form, put), sentence);
}

/** "In mice, X grows." becomes "X grows in mice." */
function moveOpening(sentence: string): string {
  const opening = /^(In|Among|After|During|For|At) ([^,.;()]{3,50}), ([^,;:()]{20,})\.$/.exec(
    sentence,
  );
  return opening
    ? `${(opening[3] ?? "").replace(/^the /, "The ")} ${(opening[1] ?? "").toLowerCase()} ${opening[2]}.`
    : sentence;
}
