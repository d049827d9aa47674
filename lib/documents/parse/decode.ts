import { analyse } from "chardet";
import { DocumentError } from "../document-error";

export interface DecodedText {
  text: string;
  /** How many characters could not be decoded and became replacement characters. */
  lost: number;
}

const BYTE_ORDER_MARKS: [string, number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];
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
/** With fewer non-ASCII bytes or less confidence, Windows-1252 is the better guess. */
const MIN_BYTES = 8;
const MIN_CONFIDENCE = 50;

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
  const encoding = marked?.[0] ?? unmarkedUtf16(bytes);
  if (encoding) {
    return decodeAs(encoding, bytes);
  }
  const asUtf8 = decodeAs("utf-8", bytes);
  return asUtf8.lost === 0 || isMostlyUtf8(asUtf8)
    ? asUtf8
    : decodeAs(legacyEncoding(bytes), bytes);
}

function decodeAs(encoding: string, bytes: Uint8Array): DecodedText {
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), lost: 0 };
  } catch {
    const text = new TextDecoder(encoding).decode(bytes);
    return { text, lost: countCodes(text, (code) => code === REPLACEMENT) };
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

/** The encoding that the file declares, as HTML and XML do, or the detected one. */
function legacyEncoding(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1");
  const declared = DECLARED.exec(head)?.[1];
  if (declared && isKnown(declared)) {
    return declared;
  }
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const telling = sample.filter((byte) => byte > LAST_ASCII).length;
  const [best] = analyse(sample);
  const isSure = best && best.confidence >= MIN_CONFIDENCE && telling >= MIN_BYTES;
  return isSure && isKnown(best.name) ? best.name : "windows-1252";
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
