import { Lookahead } from "./lookahead";
import type { OutputBuffer } from "./output-buffer";
import { isOpener, type Marker, parseMarker } from "./parse-marker";

/** "the interval [1, 2]", "95% CI [2, 5]": two numbers after one of these are bounds. */
const INTERVAL =
  /(?:\b(?:[Ii]nterval\w{0,4}|[Rr]anges?|[Bb]etween|CI|CrI|IC|KI|IQR|HDI)|∈|\\in)(?: à)?[\s:=,(]{0,3}(?:\d{2}\s?%)?[\s:=,(]{0,3}$/;
/** "[4]helicene", "[60]fullerene". */
const RING = /^(?:annul|rotax|caten|helic|fuller|radial|cycloph|paracycl|metacycl|crown)/;
const MAX_RING_LENGTH = 9;

/** Whether the text around a bracket of numbers shows that it isn't a citation. */
export function isNotCitation(marker: Marker, before: string, after: Lookahead): boolean {
  return (
    (marker.isSquare && (isReference(before) || isLink(after, marker.end))) ||
    // "[1]: https://…" and "[^1]: A note." at the beginning of a line.
    (after.charAt(marker.end) === ":" && /(?:^|\n)[ \t>]*$/.test(before)) ||
    (!marker.isLabeled &&
      (isIndex(marker, before, after) ||
        isInterval(marker, before) ||
        isCompoundName(marker, before, after)))
  );
}

/** The target of a link or image, after its bracketed text: "(https://…", "(page.html)". */
export function isLink(ahead: Lookahead, at: number): boolean {
  if (ahead.charAt(at) !== "(" || isOpener(ahead.charAt(at + 1))) {
    return false;
  }
  const start = ahead.skipBlanks(at + 1);
  const first = ahead.charAt(start);
  if (/^[#/<]/.test(first)) {
    return true;
  }
  let end = start;
  let isScheme = /^[a-z]/i.test(first);
  for (let next = first; next !== "" && !/[\s()]/.test(next); next = ahead.charAt(end)) {
    if (isScheme && next === ":" && end > start + 1) {
      return /\S/.test(ahead.charAt(end + 1));
    }
    isScheme &&= /[a-z\d+.-]/i.test(next);
    end += 1;
  }
  return end > start && ahead.charAt(end) === ")";
}

/** The second bracket of "[text][1]". Numbers in the first bracket aren't link text. */
function isReference(before: string): boolean {
  const text = before.endsWith("]") ? /\[([^[\]\n]+)\]$/.exec(before)?.[1] : undefined;
  return text !== undefined && !/^[\d\s.,;:%+–—-]*$/.test(text);
}

/** An array index outside of code: after a name like an identifier, or before "=" or ".name", or an index of 0. */
function isIndex(marker: Marker, before: string, ahead: Lookahead): boolean {
  const { base, indexes } = splitIndexes(before);
  const name = (/[\w$]/.test(base.slice(-1)) && /[A-Za-z_$][\w$]*$/.exec(base)?.[0]) || "";
  if (name === "" || /[\p{L}\p{N}_]/u.test(base.charAt(base.length - name.length - 1))) {
    return false;
  }
  const hasZero = indexes.includes("[0]") || (indexes === "" && marker.ranges[0]?.[0] === 0);
  const isOperand = OPERAND.test(base.slice(0, base.length - name.length));
  return (
    hasZero || isOperand || isIdentifier(name) || (indexes === "" && isAssigned(ahead, marker.end))
  );
}

/** Before a name in code: "x = doses[1]", "self.doses[1]", "len(doses[1])", "\\sqrt[3]{8}". */
const OPERAND = /(?:[=+*/<>!&|]\s?|[\w)\]]\.|\w\(|\\)$/;

const ARRAYS = new Set("arr argv args vec buf ptr tmp idx lst df nums".split(" "));

function isIdentifier(name: string): boolean {
  return /_|\$\w|^[a-z]{2,}[A-Z][a-z]|^[a-z]$/.test(name) || ARRAYS.has(name);
}

function isAssigned(ahead: Lookahead, at: number): boolean {
  const sign = ahead.skipBlanks(at);
  return (
    ahead.charAt(sign) === "=" || (ahead.charAt(at) === "." && /[a-z_]/.test(ahead.charAt(at + 1)))
  );
}

/** Splits "rows[0][1]" into "rows" and "[0][1]". */
function splitIndexes(before: string): { base: string; indexes: string } {
  let end = before.length;
  while (before.charAt(end - 1) === "]") {
    const start = before.lastIndexOf("[", end);
    if (start < 0 || !/^\d+$/.test(before.slice(start + 1, end - 1))) {
      break;
    }
    end = start;
  }
  return { base: before.slice(0, end), indexes: before.slice(end) };
}

function isInterval({ ranges }: Marker, before: string): boolean {
  const isOne = ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1];
  return !isOne && (ranges.some(([from]) => from === 0) || INTERVAL.test(before));
}

/** Chemical names: "[6]-gingerol", "[4]helicene", "[1,3]dioxole". */
function isCompoundName({ end, ranges }: Marker, before: string, ahead: Lookahead): boolean {
  if (/[\p{L}\p{N}]$/u.test(before)) {
    return false;
  }
  if (ahead.charAt(end) === "-") {
    return /\p{L}/u.test(ahead.charAt(end + 1));
  }
  const word = ahead.letters(end, MAX_RING_LENGTH);
  return RING.test(word) || (ranges.length > 1 && /^[a-z]/.test(word));
}

/** The character after a bracket must match this for markers to begin there. */
const BEGINNING = /[[［【〔〖⟦(\p{L}\p{N}\s^#@†‡/*_\u200b-\u200d\u2060]/u;
const BROKEN = /.\d{1,4}[[(]/y;

/** A quick check that rules out most brackets. */
export function isPlainBracket(buffer: OutputBuffer, at: number): boolean {
  BROKEN.lastIndex = at;
  return (
    !buffer.needsMore(at + 1) &&
    (!BEGINNING.test(buffer.text.charAt(at + 1)) || BROKEN.test(buffer.text))
  );
}

const OPENING = /[[［【〔〖⟦][^[\]［］【】〔〕〖〗⟦⟧()\n]*$/;

/** Whether removing a marker would make the text on its two sides read as code or as another marker. */
export function wouldFuse(before: string, next: string): boolean {
  const isDoubled = /[`~$]/.test(next) && before.endsWith(next);
  if (isDoubled || (before.endsWith("\\") && /[!-/:-@[-`{-~]/.test(next))) {
    return true;
  }
  const opening = OPENING.exec(before)?.[0];
  if (opening === undefined) {
    return false;
  }
  const ahead = new Lookahead(opening, Number.POSITIVE_INFINITY, false);
  return parseMarker(ahead, 0) !== null || ahead.needsMore;
}
