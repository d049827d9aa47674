import japanese from "opencc-js/dict/JPShinjitaiCharactersRev";
import chinese from "opencc-js/dict/TSCharacters";
import { withoutNoteMarks } from "./note-marks";

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
const ASCII = /^[\x00-\x7f]*$/;
/** Marks that writers leave out; in other scripts, marks are vowels. */
const ACCENTS =
  /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
/** Soft hyphens, zero-width and direction characters, and the lines that stretch Arabic words. */
const INVISIBLE = /[\p{Cf}ـ]+/gu;
/** Normalization would turn some of these into a blank and a mark. */
const APOSTROPHE = /(?<=\p{L})[‘’‛ʼ´`′＇](?=\p{L})/gu;
const HYPHEN = /[‐‑‒–−](?=\d)/gu;
/** Letters that aren't a base letter and a mark to Unicode. */
const LETTERS: Record<string, string> = {
  œ: "oe",
  æ: "ae",
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i",
  ς: "σ",
  ة: "ه",
  ى: "ي",
  ی: "ي",
  ک: "ك",
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "gu");
/** Arabic, Persian, Devanagari and Thai; normalization only folds full-width digits. */
const DIGITS = "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९๐๑๒๓๔๕๖๗๘๙";
const DIGIT = new RegExp(`[${DIGITS}]`, "gu");

/** Japanese writes a word in either. */
const HIRAGANA = /[\u3041-\u3096]/g;
const KATAKANA_OFFSET = 0x60;

/** "B-12" is "B12", and "type2" is "type 2". */
const SHORT_NAME = /(?<![\p{L}\p{N}])(\p{L}{1,2})-(?=\d)/gu;
const NUMBERED = /(?<![\p{L}\p{N}])(\p{L}{3,})(?=\d+(?![\p{L}\p{N}]))/gu;

/** "Down syndrome" is named after a person, but "down" is a stop word. */
const DOWN = /(?<![\p{L}\p{N}])down(?:'?s)?(?=[\s-]+syndrom)/gu;

/** Scripts written without spaces; Korean has some, but endings stick to its words. */
const UNSPACED_SCRIPTS = [
  "Han",
  "Hiragana",
  "Katakana",
  "Hangul",
  "Thai",
  "Lao",
  "Khmer",
  "Myanmar",
]
  .map((script) => `\\p{Script=${script}}`)
  .join("");
const UNSPACED = `[${UNSPACED_SCRIPTS}ー]`;
const LETTER_OR_DIGIT = `[[\\p{L}\\p{N}\\p{M}]--${UNSPACED}]`;
const WORDS = new RegExp(`${UNSPACED}+|${LETTER_OR_DIGIT}+(?:['’.]${LETTER_OR_DIGIT}+)*`, "gv");
const ASCII_WORDS = /[a-z0-9]+(?:['.][a-z0-9]+)*/g;
const UNSPACED_RUN = new RegExp(`^${UNSPACED}{2,}$`, "u");

/** The words of a text in order, folded, with their apostrophes. A run of a script without spaces is one of them. */
export function foldedWords(text: string): string[] {
  const folded = fold(text)
    .replace(SHORT_NAME, "$1")
    .replace(NUMBERED, "$1 ")
    .replace(DOWN, "downs");
  return splitFolded(folded);
}

/** The words of a name such as "GATA3", which stays whole. */
export function foldedNames(text: string): string[] {
  return splitFolded(fold(text));
}

export function isUnspaced(word: string): boolean {
  return UNSPACED_RUN.test(word);
}

function splitFolded(folded: string): string[] {
  return folded.match(ASCII.test(folded) ? ASCII_WORDS : WORDS) ?? [];
}

/**
 * Lower case, without accents of Latin, Greek and Cyrillic letters, ligatures and invisible characters; Chinese characters in
 * their simplified form, and hiragana as katakana.
 */
function fold(text: string): string {
  if (ASCII.test(text)) {
    return text.toLowerCase();
  }
  return withoutNoteMarks(text)
    .replace(INVISIBLE, "")
    .replace(APOSTROPHE, "'")
    .replace(HYPHEN, "-")
    .normalize("NFKD")
    .replace(ACCENTS, "$1")
    .normalize("NFC")
    .toLowerCase()
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
    .replace(DIGIT, (digit) => String(DIGITS.indexOf(digit) % 10))
    .replace(HIRAGANA, (kana) => String.fromCharCode(kana.charCodeAt(0) + KATAKANA_OFFSET))
    .replace(/\p{Script=Han}/gu, plainHan);
}

/** The entries of a table of traditional characters, each with its simplified form, of several the most common. */
function entriesOf(table: string): [string, string][] {
  return table.split("|").map((entry) => entry.split(" ", 2) as [string, string]);
}

const TRADITIONAL = new Map(entriesOf(japanese).map(([old, simple]) => [simple, old]));
const SIMPLIFIED = new Map(entriesOf(chinese));

/** The simplified form of a Chinese character, whether it is a traditional or a Japanese one. */
function plainHan(character: string): string {
  const traditional = TRADITIONAL.get(character) ?? character;
  return SIMPLIFIED.get(traditional) ?? traditional;
}
