import confusables from "./confusables.json" with { type: "json" };

/** HTML entities that can spell a delimiter. */
const ENTITIES = new Map(Object.entries(confusables.entities));
const NUMBER = /[%&\\](?:#?x|u\{?|#)?0{0,8}([\da-f]{1,6})[;}]?/i;
const ESCAPED =
  /&(?:lt|gt|amp|sol|bsol|lsqb|lbrack|rsqb|rbrack|nbsp|num|excl|equals|quot|vert|#\d{1,8}|#x[\da-f]{1,8});?|%[\da-f]{2}|\\(?:u[\da-f]{4}|u\{[\da-f]{1,8}\}|x[\da-f]{2})/gi;
/** Decodes up to "&amp;amp;lt;". */
const MAX_ROUNDS = 3;
const LAST_CODE_POINT = 0x10ffff;

/** Lookalikes of each Latin letter, after NFKD and lower-casing. */
const LETTERS = new Map(
  Object.entries(confusables.letters).flatMap(([letter, twins]) =>
    [...twins].map((twin) => [twin, letter]),
  ),
);
const CONFUSABLE = new RegExp(`[${[...LETTERS.keys()].join("")}]`, "gu");
/** Combining marks, invisible characters, and the Braille blank. */
const NO_LETTER = /[\p{M}\p{Default_Ignorable_Code_Point}\u2800]+/gu;
const PLAIN = /^[\n\t -$'-[\]-~]*$/;

/** A text's skeleton (UTS #39), for comparison only: its offsets don't map back. */
export function toSkeleton(text: string): string {
  if (PLAIN.test(text)) {
    return text.toLowerCase();
  }
  return readEscapes(text)
    .normalize("NFKD")
    .replace(NO_LETTER, "")
    .toLowerCase()
    .replace(CONFUSABLE, (twin) => LETTERS.get(twin) ?? twin);
}

function readEscapes(text: string): string {
  let read = text;
  for (let round = 0; round < MAX_ROUNDS && /[&%\\]/.test(read); round += 1) {
    read = read.replace(ESCAPED, readEscape);
  }
  return read;
}

function readEscape(written: string): string {
  const name = /^&([a-z]+)/i.exec(written)?.[1]?.toLowerCase();
  if (name) {
    return ENTITIES.get(name) ?? written;
  }
  const isDecimal = /^&#\d/.test(written);
  const code = Number.parseInt(NUMBER.exec(written)?.[1] ?? "", isDecimal ? 10 : 16);
  if (!(code <= LAST_CODE_POINT)) {
    return written;
  }
  return code === 0 ? "" : String.fromCodePoint(code);
}
