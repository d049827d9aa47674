import type { Candidate } from "./corpus";

/** Punctuation that follows the marker, with closing quotes and brackets. */
const END_MARKS = /(?<![.!?…;,。！？；])[.!?…;,。！？；]+["'”’)\]*_]*$/u;
/** An abbreviation keeps its full stop before the marker. */
const SHORTENED = /(?:\p{L}\.){2}$|\b(?:etc|al|Inc|Ltd)\.$/u;

/** Writes the chosen units with their markers: sources by their best unit, units by position, lists after their lead. */
export function compose(chosen: readonly Candidate[]): string {
  const numbers = new Set(chosen.map(({ source }) => source.number));
  return [...numbers]
    .flatMap((number) => passagesOf(chosen.filter(({ source }) => source.number === number)))
    .map(writePassage)
    .join("\n\n");
}

function passagesOf(units: readonly Candidate[]): Candidate[][] {
  const passages: Candidate[][] = [];
  for (const unit of units.toSorted((one, other) => one.index - other.index)) {
    const last = passages.at(-1);
    if (last?.[0]?.list === unit.list && last[0].lead === unit.lead) {
      last.push(unit);
    } else {
      passages.push([unit]);
    }
  }
  return passages;
}

function writePassage(units: readonly Candidate[]): string {
  const quotes = units.map(cite);
  const [first] = units;
  const isList =
    first?.list !== null &&
    (units.length > 1 || first?.lead || !END_MARKS.test(first?.quote.text ?? ""));
  if (!isList) {
    return quotes.join(" ");
  }
  return [
    ...(first?.quote.lead ? [onOneLine(first.quote.lead)] : []),
    ...quotes.map((quote) => `- ${quote}`),
  ].join("\n");
}

/** Turns "It is treated with rest." into "It is treated with rest [1]." */
function cite({ quote: { text }, source }: Candidate): string {
  const quote = onOneLine(text);
  const end = SHORTENED.test(quote) ? "" : (END_MARKS.exec(quote)?.[0] ?? "");
  return `${quote.slice(0, quote.length - end.length)} [${source.number}]${end}`;
}

export function onOneLine(text: string): string {
  return text.replace(/\s+/g, (blanks) => (blanks.includes("\n") ? " " : blanks));
}
