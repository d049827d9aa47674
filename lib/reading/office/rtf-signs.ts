/** Spaces and hyphens that don't break, which the parser of RTF leaves as "~" and "_"; an escaped backslash comes first. */
const SIGN = /\\\\|\\[~_]/g;
const WRITTEN: Record<string, string> = { "\\~": "{\\uc1\\u160 ?}", "\\_": "{\\uc1\\u45 ?}" };
const BACKSLASH = 0x5c;
const NAMES = new Set([0x7e, 0x5f]);
/** Begins text that Word hides; `\\v0` ends it. */
const HIDDEN = /\\v(?:1(?!\d)|(?![a-z\d-]))/g;

/** An RTF whose spaces and hyphens that don't break are characters. */
export function withPlainRtfSigns(bytes: Uint8Array): Uint8Array {
  const hasSigns = bytes.some((byte, at) => byte === BACKSLASH && NAMES.has(bytes[at + 1] ?? 0));
  if (!hasSigns) {
    return bytes;
  }
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  return Buffer.from(
    rtf.replace(SIGN, (sign) => WRITTEN[sign] ?? sign),
    "latin1",
  );
}

/** How often an RTF begins to hide text, which the parser doesn't report. */
export function countHiddenRtf(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return file.toString("latin1").match(HIDDEN)?.length ?? 0;
}
