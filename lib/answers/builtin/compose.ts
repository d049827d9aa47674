import type { Candidate } from "@/lib/evidence/questions/candidates";
import { shorten } from "@/lib/text/shorten";

/** Punctuation that follows the marker, with closing quotes and brackets. */
const END_MARKS = /(?<![.!?…;,。！？；])[.!?…;,。！？；]+["'”’)\]*_]*$/u;
/** An abbreviation keeps its full stop before the marker. */
const SHORTENED = /(?:\p{L}\.){2}$|\b(?:etc|al|Inc|Ltd)\.$/u;
const MARKER = /\s?\[\d[\d,\s–-]*\]/g;
const TITLE_CHARACTERS = 120;
const SECTION_CHARACTERS = 600;

/** Writes sentences with their markers, and list items under the line that introduces them. */
export function compose(chosen: readonly Candidate[]): string {
  const paragraphs: Candidate[][] = [];
  for (const [at, candidate] of chosen.entries()) {
    const last = chosen[at - 1];
    const isNext =
      isSameList(candidate, last) || (isSentence(candidate) && last && isSentence(last));
    if (isNext) {
      paragraphs.at(-1)?.push(candidate);
    } else {
      paragraphs.push([candidate]);
    }
  }
  return paragraphs.map(writeParagraph).join("\n\n");
}

/** Sentences, or the items of one list. */
function writeParagraph(candidates: readonly Candidate[]): string {
  const units = candidates.flatMap(({ units, source }) => units.map((unit) => ({ unit, source })));
  const quotes = units.map(({ unit, source }) => cite(unit.text, source.number));
  const { lead = null, text = "" } = units[0]?.unit ?? {};
  const isSingle = lead === null && quotes.length === 1 && END_MARKS.test(text);
  if (isSingle || candidates.every(isSentence)) {
    return quotes.join(" ");
  }
  return [...(lead === null ? [] : [onOneLine(lead)]), ...quotes.map((quote) => `- ${quote}`)].join(
    "\n",
  );
}

function isSentence({ units: [{ list }] }: Candidate): boolean {
  return list === null;
}

/** Whether one is an item of the list that the other is in. */
export function isSameList(one: Candidate, other: Candidate | undefined): boolean {
  const [unit] = one.units;
  return (
    unit.list !== null &&
    one.source === other?.source &&
    unit.list === other.units[0].list &&
    unit.lead === other.units[0].lead
  );
}

/** Names a source and quotes sentences of it without markers: that isn't an answer. */
export function pointTo(section: readonly [Candidate, ...Candidate[]]): string {
  const [{ source }] = section;
  const name = shorten(onOneLine(source.title).replace(/[[\]]/g, "").trim(), TITLE_CHARACTERS);
  const said = section
    .map(({ units: [{ lead, text }] }) => onOneLine(lead === null ? text : `${lead} ${text}`))
    .join(" ")
    .replace(MARKER, "");
  return `- ${name} [${source.number}]\n  > ${shorten(said, SECTION_CHARACTERS)}`;
}

/** Turns "It is treated with rest." into "It is treated with rest [1]." */
function cite(text: string, number: number): string {
  const quote = onOneLine(text);
  const end = SHORTENED.test(quote) ? "" : (END_MARKS.exec(quote)?.[0] ?? "");
  return `${quote.slice(0, quote.length - end.length)} [${number}]${end}`;
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, (blanks) => (blanks.includes("\n") ? " " : blanks));
}
