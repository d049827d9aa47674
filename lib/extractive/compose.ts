import type { Candidate } from "./corpus";

/** Ends of a sentence or item that stand after its marker, with the quotes and brackets that close them. */
const END_MARKS = /[.!?…;,。！？；]+["'”’)\]*_]*$/u;
/** A full stop that belongs to its word stays before the marker. */
const SHORTENED = /(?:\p{L}\.){2,}$|\b(?:etc|al|Inc|Ltd)\.$/u;

/**
 * Writes the chosen units, each with the marker of its source: the sources in the order in which the best
 * of each was chosen, the units of a source in its own order, a list below the line that introduces it.
 */
export function compose(chosen: readonly Candidate[]): string {
  const numbers = new Set(chosen.map(({ source }) => source.number));
  return [...numbers]
    .flatMap((number) => passagesOf(chosen.filter(({ source }) => source.number === number)))
    .map(writePassage)
    .join("\n\n");
}

/** The units of one source cut into what is written in one piece: a list or a paragraph. */
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
    first?.list !== null && (units.length > 1 || first?.lead || !END_MARKS.test(first?.text ?? ""));
  if (!isList) {
    return quotes.join(" ");
  }
  return [
    ...(first?.lead ? [onOneLine(first.lead)] : []),
    ...quotes.map((quote) => `- ${quote}`),
  ].join("\n");
}

/** "It is treated with rest." as "It is treated with rest [1]." */
function cite({ text, source }: Candidate): string {
  const quote = onOneLine(text);
  const end = SHORTENED.test(quote) ? "" : (END_MARKS.exec(quote)?.[0] ?? "");
  return `${quote.slice(0, quote.length - end.length)} [${source.number}]${end}`;
}

function onOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ");
}
