import jschardet from "jschardet";
import { DocumentError } from "../document-error";

export interface DecodedText {
  text: string;
  encoding: string;
  /** Whether another encoding is nearly as likely, so that letters may be wrong. */
  isUnsure: boolean;
  /** How many characters could not be decoded and became replacement characters. */
  lost: number;
}

const BYTE_ORDER_MARKS: [string, number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];
const LINE_FEED = 0x0a;
const LAST_ASCII = 0x7f;
const REPLACEMENT = 0xfffd;
const DECLARED =
  /(?:<meta[^>]{1,200}charset\s*=\s*["']?|<\?xml[^>]{1,100}encoding=["'])([\w-]{3,30})/i;
const HEAD_BYTES = 2048;
const SAMPLE_BYTES = 64 * 1024;
/** In UTF-16, half of the bytes of Latin text are zero, all at even or all at odd offsets. */
const UTF16_ZEROS = 0.3;
/** With a larger share of control characters other than tabs and line breaks, it isn't text. */
const MAX_CONTROLS = 0.01;
/** With fewer non-ASCII bytes, detection needs this confidence. Otherwise the text is in Windows-1252. */
const FEW_BYTES = 8;
const FEW_CONFIDENCE = 0.08;
/** Below it, another encoding is nearly as likely, other than between those of Western Europe. */
const SURE_CONFIDENCE = 0.2;
/** Below it, many bytes that aren't ASCII are no text. */
const MANY_BYTES = 200;
const LEAST_CONFIDENCE = 0.03;
const NOISY = 0.3;
const DEFAULT = "windows-1252";
/** Names that the detector and the decoder don't share. */
const ALIASES: Record<string, string> = {
  cp874: "windows-874",
  cp932: "shift_jis",
  cp949: "euc-kr",
  macroman: "macintosh",
  maccyrillic: "x-mac-cyrillic",
};
/** DOS code page 850 from 0x80 on, which decoders don't know. In its letters, page 437 is nearly the same. */
const DOS =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0";
/** Bytes between letters, read as Latin-1: letters in DOS and marks in Windows, and letters in Windows. */
const DOS_LETTER = /(?<=[A-Za-z])[\x81-\x8d\x93-\x97\x9a\xa0-\xa5](?=[A-Za-z]|$|[\s,;"])/gm;
const WINDOWS_LETTER = /(?<=[A-Za-z])[\x9a\x9c\x9e\xc0-\xff]|[\xc0-\xff](?=[A-Za-z])/g;
/** Switches to Japanese and back, in seven bits. */
const ISO_2022_JP = ["\u001b$B", "\u001b$@"];
/** Scripts without spaces or case, which fill most of a text in UTF-16. */
const EAST_ASIAN = /[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af\uff00-\uffef\n -~]/g;
const MOSTLY = 0.95;

/** Decodes text in any common encoding, with \n as line break. Throws unsupported_format for binary data. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const decoded = decodeBytes(bytes);
  const text = decoded.text.replace(/\r\n?/g, "\n");
  if (isBinary(text)) {
    throw new DocumentError("unsupported_format");
  }
  return { ...decoded, text };
}

function decodeBytes(bytes: Uint8Array): DecodedText {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  const encoding = marked?.[0] ?? unmarkedUtf16(bytes) ?? escapedEncoding(bytes);
  if (encoding) {
    return decodeAs(encoding, bytes);
  }
  const asUtf8 = decodeAs("utf-8", bytes);
  return asUtf8.lost === 0 || isMostlyUtf8(asUtf8) ? asUtf8 : decodeLegacy(bytes);
}

function escapedEncoding(bytes: Uint8Array): string | null {
  const sample = Buffer.from(bytes.subarray(0, SAMPLE_BYTES)).toString("latin1");
  return ISO_2022_JP.some((start) => sample.includes(start)) ? "iso-2022-jp" : null;
}

function decodeAs(encoding: string, bytes: Uint8Array): DecodedText {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return { text, encoding, isUnsure: false, lost: 0 };
  } catch {
    const text = new TextDecoder(encoding).decode(bytes);
    const lost = countCodes(text, (code) => code === REPLACEMENT);
    return { text, encoding, isUnsure: false, lost };
  }
}

/** A few invalid bytes are damage. If none are valid, it is another encoding. */
function isMostlyUtf8({ text, lost }: DecodedText): boolean {
  return countCodes(text, (code) => code > LAST_ASCII && code !== REPLACEMENT) > lost;
}

function countCodes(text: string, isCounted: (code: number) => boolean): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    count += isCounted(text.charCodeAt(at)) ? 1 : 0;
  }
  return count;
}

interface Guess {
  name: string;
  confidence: number;
}

/** By the encoding that the file declares, as HTML and XML do, or the detected one. Throws unsupported_format. */
function decodeLegacy(bytes: Uint8Array): DecodedText {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1");
  const declared = DECLARED.exec(head)?.[1];
  if (declared && isKnown(declared)) {
    return decodeAs(declared, bytes);
  }
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const telling = tellingLines(bytes);
  if (isDos(telling.toString("latin1"))) {
    const text = Buffer.from(bytes)
      .toString("latin1")
      .replace(/[\x80-\xff]/g, (char) => DOS.charAt(char.charCodeAt(0) - LAST_ASCII - 1));
    return { text, encoding: "ibm850", isUnsure: true, lost: 0 };
  }
  const guesses = sample.includes(0) ? [] : jschardet.detectAll(telling);
  if (!guesses[0]?.encoding) {
    return decodeAs(eastAsianUtf16(sample), bytes);
  }
  const found = guesses.map(({ encoding, confidence }) => ({
    name: ALIASES[encoding?.toLowerCase() ?? ""] ?? encoding ?? "",
    confidence,
  }));
  return decodeGuess(bytes, telling, found);
}

/** Whether bytes that aren't ASCII are letters on DOS: within words they are no letters on Windows. */
function isDos(lines: string): boolean {
  const count = (pattern: RegExp) => lines.match(pattern)?.length ?? 0;
  const found = count(DOS_LETTER);
  return found > 0 && found > 2 * count(WINDOWS_LETTER);
}

/** The first lines that aren't ASCII: the others would outweigh them. */
function tellingLines(bytes: Uint8Array): Buffer {
  const lines: Uint8Array[] = [];
  let size = 0;
  for (let start = 0; start < bytes.length && size < SAMPLE_BYTES; ) {
    const end = bytes.indexOf(LINE_FEED, start) + 1 || bytes.length;
    const line = bytes.subarray(start, Math.min(end, start + SAMPLE_BYTES));
    if (line.some((byte) => byte > LAST_ASCII)) {
      lines.push(line);
      size += line.length;
    }
    start = end;
  }
  return Buffer.concat(lines);
}

/** Throws unsupported_format for noise. */
function decodeGuess(bytes: Uint8Array, telling: Uint8Array, found: Guess[]): DecodedText {
  const [best] = found;
  const usable = found.find(({ name }) => isKnown(name));
  const confidence = usable?.confidence ?? 0;
  const count = telling.filter((byte) => byte > LAST_ASCII).length;
  const isFew = count < FEW_BYTES;
  if (count > MANY_BYTES && confidence < LEAST_CONFIDENCE && count > telling.length * NOISY) {
    throw new DocumentError("unsupported_format");
  }
  const isTrusted = usable && !(isFew && confidence < FEW_CONFIDENCE);
  const decoded = decodeAs(isTrusted ? usable.name : DEFAULT, bytes);
  const isDefault = decoded.text === decodeAs(DEFAULT, bytes).text;
  const isOther = best?.name !== usable?.name && (best?.confidence ?? 0) > FEW_CONFIDENCE;
  return { ...decoded, isUnsure: isDefault ? isOther : confidence < SURE_CONFIDENCE };
}

/** The order of bytes that makes a text of East Asian letters. Throws unsupported_format for neither. */
function eastAsianUtf16(sample: Uint8Array): string {
  const found = ["utf-16le", "utf-16be"].find((encoding) => {
    const { text } = decodeAs(encoding, sample.subarray(0, sample.length & ~1));
    return text.length > 0 && (text.match(EAST_ASIAN)?.length ?? 0) > text.length * MOSTLY;
  });
  if (found) {
    return found;
  }
  throw new DocumentError("unsupported_format");
}

function isKnown(encoding: string): boolean {
  try {
    return new TextDecoder(encoding).encoding !== "utf-8";
  } catch {
    return false;
  }
}

function unmarkedUtf16(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) {
    if (byte === 0) {
      zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
    }
  }
  const [even = 0, odd = 0] = zeros.map((count) => count / (sample.length || 1));
  if (sample.length >= 8 && Math.max(even, odd) > UTF16_ZEROS && Math.min(even, odd) === 0) {
    return even > odd ? "utf-16be" : "utf-16le";
  }
  return null;
}

function isBinary(text: string): boolean {
  const sample = text.slice(0, SAMPLE_BYTES);
  const controls = countCodes(sample, isControl);
  return controls > sample.length * MAX_CONTROLS && controls > 1;
}

/** Text may contain backspace to carriage return, and escape in terminal logs. */
function isControl(code: number): boolean {
  const isTextual = (code >= 0x08 && code <= 0x0d) || code === 0x1b;
  return (code < 0x20 && !isTextual) || code === 0x7f;
}
