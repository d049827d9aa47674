/** How one level of a list numbers its items. */
export interface ListLevel {
  /** As Word calls it, such as `lowerLetter`; `bullet` and `none` have no numbers. */
  format: string;
  /** `%1` is the number of the first level. */
  text: string;
  start: number;
}

/** Larger numbers in letters or Roman figures would be long. */
const MOST_LETTERS = 26 * 5;
const MOST_ROMAN = 3999;
const ROMAN: [number, string][] = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
];

/** Formats of lists in HTML, by the type attribute and by the style. */
const HTML_FORMATS: Record<string, string> = {
  a: "lowerLetter",
  A: "upperLetter",
  i: "lowerRoman",
  I: "upperRoman",
  "lower-alpha": "lowerLetter",
  "lower-latin": "lowerLetter",
  "upper-alpha": "upperLetter",
  "upper-latin": "upperLetter",
  "lower-roman": "lowerRoman",
  "upper-roman": "upperRoman",
};
const STYLE_TYPE = /list-style(?:-type)?\s*:\s*((?:lower|upper)-\w+)/;

/** How an HTML list with such a type and style attribute numbers its items. */
export function formatOfHtml(type: string, style: string): string {
  return HTML_FORMATS[STYLE_TYPE.exec(style)?.[1] ?? type] ?? "decimal";
}

/** The label of an item below others: "2." and "(a)" make "2(a)", so that it can be cited by itself. */
export function joinLabel(above: readonly string[], own: string): string {
  const parent = above.findLast(Boolean)?.replace(/[.:]+$|(?<=^[^(]*)\)$/g, "") ?? "";
  const core = own.replace(/^[([]|[.)\]:]+$/g, "");
  const isWhole = own.startsWith(`${parent}.`) && core.length > parent.length;
  if (parent === "" || core === "" || isWhole) {
    return own;
  }
  return /^\d/.test(core) ? `${parent}.${core}` : `${parent}(${core})`;
}

/** The text of a level, with the numbers of the levels above it. */
export function levelText(
  counts: readonly number[],
  levels: ReadonlyMap<number, ListLevel>,
  text: string,
): string {
  return text.replace(/%([1-9])/g, (_, digit: string) => {
    const level = Number(digit) - 1;
    const { format, start } = levels.get(level) ?? { format: "decimal", start: 1 };
    return formatNumber(counts[level] ?? start, format);
  });
}

export function formatNumber(number: number, format: string): string {
  if (/Letter$/.test(format) && number >= 1 && number <= MOST_LETTERS) {
    const letter = String.fromCharCode(97 + ((number - 1) % 26));
    return inCase(letter.repeat(Math.ceil(number / 26)), format);
  }
  if (/Roman$/.test(format) && number >= 1 && number <= MOST_ROMAN) {
    return inCase(toRoman(number), format);
  }
  return String(number);
}

function inCase(text: string, format: string): string {
  return format.startsWith("upper") ? text.toUpperCase() : text;
}

function toRoman(number: number): string {
  let left = number;
  return ROMAN.map(([value, figure]) => {
    const times = Math.floor(left / value);
    left -= times * value;
    return figure.repeat(times);
  }).join("");
}
