interface Quantity {
  start: number;
  end: number;
  /** Without the marks between thousands, so that 4,000 and 4000 are equal. */
  digits: string;
  unit: string;
}

/** The one number in which a claim and a quote differ, as each of them writes it, and its place in the quote. */
export interface NumberDifference {
  claim: string;
  quote: string;
  start: number;
  end: number;
}

// A number and the word or sign after it.
const QUANTITY = /(\d+(?:[.,]\d+)*)(?:\s?([%°\p{L}][\p{L}/]*))?/gu;

/** Null if they differ in no number, or in several: then none of them is the difference. */
export function numberDifference(claim: string, quote: string): NumberDifference | null {
  const [claimed, quoted] = [quantitiesOf(claim), quantitiesOf(quote)];
  const [inClaim, ...otherClaimed] = without(claimed, quoted);
  const [inQuote, ...otherQuoted] = without(quoted, claimed);
  if (!inClaim || !inQuote || otherClaimed.length > 0 || otherQuoted.length > 0) {
    return null;
  }
  const hasUnit = inClaim.unit === inQuote.unit;
  const textOf = (text: string, { start, end, unit }: Quantity) =>
    text.slice(start, hasUnit ? end : end - unit.length).trim();
  const shown = textOf(quote, inQuote);
  return {
    claim: textOf(claim, inClaim),
    quote: shown,
    start: inQuote.start,
    end: inQuote.start + shown.length,
  };
}

function quantitiesOf(text: string): Quantity[] {
  return [...text.matchAll(QUANTITY)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    digits: (match[1] ?? "").replaceAll(",", ""),
    unit: match[2] ?? "",
  }));
}

function without(quantities: readonly Quantity[], others: readonly Quantity[]): Quantity[] {
  const known = new Set(others.map(({ digits }) => digits));
  return quantities.filter(({ digits }) => !known.has(digits));
}
