import { format, getFormatFromId, isDateFormat } from "numfmt";

/** Excel's own limits. */
const LONGEST_PATTERN = 255;
const DIGITS = 15;
/** Days between the two date systems. */
const DAYS_1904 = 1462;
const ISO_DATE = "yyyy-mm-dd";
/** Formats whose look depends on the reader's settings. As ISO they are unambiguous. */
const ISO_FORMATS: Record<number, string> = { 14: ISO_DATE, 22: `${ISO_DATE} hh:mm` };
const GENERAL = /^general$/i;

/** Number formats of a workbook's cells, by the index of their style. */
export interface CellStyles {
  patterns: (string | null)[];
  /** Whether the style's font strikes text out. */
  struck: boolean[];
  is1904: boolean;
}

/** The pattern with this id, which is the workbook's own or one of Excel's. Null shows numbers as they are. */
export function patternOf(id: number, own: ReadonlyMap<number, string>): string | null {
  const pattern = own.get(id) ?? ISO_FORMATS[id] ?? getFormatFromId(id) ?? null;
  const isPlain = pattern === null || GENERAL.test(pattern) || pattern.length > LONGEST_PATTERN;
  return isPlain ? null : pattern;
}

/** A number as the sheet shows it; without a format, in Excel's 15 digits. */
export function showNumber(
  raw: string,
  style: number,
  { patterns, is1904 }: Pick<CellStyles, "patterns" | "is1904">,
): string {
  const value = Number(raw);
  if (raw.trim() === "" || !Number.isFinite(value)) {
    return raw.trim();
  }
  const plain = String(Number(value.toPrecision(DIGITS)));
  const pattern = patterns[style];
  if (!pattern) {
    return plain;
  }
  try {
    const serial = is1904 && isDateFormat(pattern) ? value + DAYS_1904 : value;
    const shown = format(pattern, serial).replace(/\s+/g, " ").trim();
    return /^#*$/.test(shown) ? plain : shown;
  } catch {
    return plain;
  }
}
