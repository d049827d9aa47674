/** The characters of superscript footnote marks. */
const RAISED: Record<string, string> = Object.fromEntries(
  Array.from("0123456789+-−–()abcdefghijklmnoprstuvwxyz", (sign, at) => [
    sign,
    Array.from("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")[at] ?? sign,
  ]),
);
const SIGNS = "[⁰¹²³⁴-⁹ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ]";

/** The narrow space that the PDF reader writes before a footnote mark, so that exponents and fractions don't count as marks. */
export const MARK_GAP = "\u2006";

const RAISED_MARK = String.raw`(?<=\S)${MARK_GAP}⁽?${SIGNS}{1,3}(?:[,⁻]${SIGNS}{1,3})*⁾?(?![\p{L}\p{N}]|[/⁄][\d₀-₉])`;

/**
 * The source of a pattern for footnote marks as read from PDFs: raised, after the gap, or symbols: "20 mg ², 5 mg ᵃ,ᵇ, 12†".
 * They don't belong to the word, number, unit or sentence before them.
 */
export const NOTE_MARK = String.raw`${RAISED_MARK}|(?<=[\p{L}\p{N}%)])[*∗†‡§¶]{1,3}(?![\p{L}\p{N}*])`;
const NOTE_MARKS = new RegExp(NOTE_MARK, "gu");

export function withoutNoteMarks(text: string): string {
  return text.replace(NOTE_MARKS, "");
}

/** A text of digits, signs and letters as it is written raised. As long as before. */
export function raise(text: string): string {
  return Array.from(text, (sign) => RAISED[sign] ?? sign).join("");
}
