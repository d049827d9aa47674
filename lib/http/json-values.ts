const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;

/**
 * Whether JSON text has more than `most` values, counted by the commas and brackets outside its strings. Takes a few
 * milliseconds for 4 MB; parsing and validating a million objects would take seconds and hundreds of megabytes.
 */
export function exceedsValueCount(bytes: Uint8Array, most: number): boolean {
  // A view, for Buffer's native indexOf.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === QUOTE) {
      at = endOfString(text, at);
    } else if (byte === COMMA || byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      values += 1;
    }
    if (values > most) {
      return true;
    }
  }
  return false;
}

/** The index of the closing quote, or the text's length when there is none. */
function endOfString(text: Buffer, start: number): number {
  let end = text.indexOf(QUOTE, start + 1);
  while (end >= 0 && isEscaped(text, end)) {
    end = text.indexOf(QUOTE, end + 1);
  }
  return end < 0 ? text.length : end;
}

function isEscaped(text: Buffer, at: number): boolean {
  let first = at;
  while (text[first - 1] === BACKSLASH) {
    first -= 1;
  }
  return (at - first) % 2 === 1;
}
