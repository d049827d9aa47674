import { isOpener, type Marker, readMarker } from "./parse-marker";
import { Window } from "./lookahead";

/** How much of the text before a bracket tells what it is. */
export const LOOK_BACK = 96;

/** "the interval [1, 2]", "95% CI [2, 5]": two numbers after one of these are its ends. */
const INTERVAL =
  /(?:\b(?:[Ii]nterval\w{0,4}|[Rr]anges?|[Bb]etween|CI|CrI|IC|KI|IQR|HDI)|∈|\\in)(?: à)?[\s:=,(]{0,3}(?:\d{2}\s?%)?[\s:=,(]{0,3}$/;
/** "[4]helicene", "[60]fullerene". */
const RING = /^(?:annul|rotax|caten|helic|fuller|radial|cycloph|paracycl|metacycl|crown)/;
const LONGEST_RING = 9;

/** Whether what stands around a bracket of numbers makes it something else than a marker. */
export function isOther(marker: Marker, before: string, after: Window): boolean {
  if (marker.isSquare && (isReference(before) || isLink(after, marker.end))) {
    return true;
  }
  if (isDefinition(marker, before, after)) {
    return true;
  }
  return (
    !marker.isLabelled &&
    (isIndex(marker, before, after) || isInterval(marker, before) || isName(marker, before, after))
  );
}

/** "(https://…", "(page.html)": what a link or an image has after the bracket of its text. */
export function isLink(window: Window, at: number): boolean {
  if (window.at(at) !== "(" || isOpener(window.at(at + 1))) {
    return false;
  }
  const start = window.skipBlanks(at + 1);
  const first = window.at(start);
  if (/^[#/<]/.test(first)) {
    return true;
  }
  let end = start;
  let isScheme = /^[a-z]/i.test(first);
  for (let next = first; next !== "" && !/[\s()]/.test(next); next = window.at(end)) {
    if (isScheme && next === ":" && end > start + 1) {
      return /\S/.test(window.at(end + 1));
    }
    isScheme &&= /[a-z\d+.-]/i.test(next);
    end += 1;
  }
  return end > start && window.at(end) === ")";
}

/** "[1]: https://…" and "[^1]: A note." at the beginning of a line. */
function isDefinition({ end }: Marker, before: string, window: Window): boolean {
  return window.at(end) === ":" && /(?:^|\n)[ \t>]*$/.test(before);
}

/** The second bracket of "[text][1]"; a bracket of numbers is no text. */
function isReference(before: string): boolean {
  const text = before.endsWith("]") ? /\[([^[\]\n]+)\]$/.exec(before)?.[1] : undefined;
  return text !== undefined && !/^[\d\s.,;:%+–—-]*$/.test(text);
}

/**
 * The index of an array, outside of code: directly after an identifier that looks like one (it has "_" or "$",
 * or a capital after two small letters, or is a single small letter, or a name that programs give to
 * arrays), or after any word when "=" or ".name" follows, or when the index is 0.
 */
function isIndex(marker: Marker, before: string, window: Window): boolean {
  const { base, indexes } = splitIndexes(before);
  const name = (/[\w$]/.test(base.slice(-1)) && /[A-Za-z_$][\w$]*$/.exec(base)?.[0]) || "";
  if (name === "" || /[\p{L}\p{N}_]/u.test(base.charAt(base.length - name.length - 1))) {
    return false;
  }
  const hasZero = indexes.includes("[0]") || (indexes === "" && marker.ranges[0]?.[0] === 0);
  return hasZero || isIdentifier(name) || (indexes === "" && isAssigned(window, marker.end));
}

const ARRAYS = new Set("arr argv args vec buf ptr tmp idx lst df nums".split(" "));

function isIdentifier(name: string): boolean {
  return /_|\$\w|^[a-z]{2,}[A-Z][a-z]|^[a-z]$/.test(name) || ARRAYS.has(name);
}

function isAssigned(window: Window, at: number): boolean {
  const sign = window.skipBlanks(at);
  return window.at(sign) === "=" || (window.at(at) === "." && /[a-z_]/.test(window.at(at + 1)));
}

/** "rows[0][1]" without its indexes, and those. */
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

/** "[6]-gingerol", "[4]helicene", "[1,3]dioxole": names of compounds. */
function isName({ end, ranges }: Marker, before: string, window: Window): boolean {
  if (/[\p{L}\p{N}]$/u.test(before)) {
    return false;
  }
  if (window.at(end) === "-") {
    return /\p{L}/u.test(window.at(end + 1));
  }
  const word = window.letters(end, LONGEST_RING);
  return RING.test(word) || (ranges.length > 1 && /^[a-z]/.test(word));
}

const OPENING = /[[［【〔〖⟦][^[\]［］【】〔〕〖〗⟦⟧()\n]*$/;

/** Whether text that was apart would become code or a marker when what stood between is left out. */
export function wouldJoin(before: string, next: string): boolean {
  const isDoubled = /[`~$]/.test(next) && before.endsWith(next);
  if (isDoubled || (before.endsWith("\\") && /[!-/:-@[-`{-~]/.test(next))) {
    return true;
  }
  const opening = OPENING.exec(before)?.[0];
  if (opening === undefined) {
    return false;
  }
  const window = new Window(opening, Number.POSITIVE_INFINITY, false);
  return readMarker(window, 0) !== null || window.wantsMore;
}
