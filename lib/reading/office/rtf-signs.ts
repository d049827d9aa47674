/** What the parser of RTF doesn't know: spaces and hyphens that don't break, two lines through text; an escaped backslash comes first. */
const SIGN = /\\\\|\\[~_]|\\striked1(?!\d)/g;
const WRITTEN: Record<string, string> = {
  "\\~": "{\\uc1\\u160 ?}",
  "\\_": "{\\uc1\\u45 ?}",
  "\\striked1": "\\strike",
};
/** Begins text that Word hides; `\\v0` ends it. */
const HIDDEN = /\\v(?:1(?!\d)|(?![a-z\d-]))/g;

/** An RTF whose spaces and hyphens that don't break are characters, and whose struck-out text has one line. */
export function withPlainRtfSigns(bytes: Uint8Array): Uint8Array {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const plain = rtf.replace(SIGN, (sign) => WRITTEN[sign] ?? sign);
  return plain === rtf ? bytes : Buffer.from(plain, "latin1");
}

/** How often an RTF begins to hide text, which the parser doesn't report. */
export function countHiddenRtf(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return file.toString("latin1").match(HIDDEN)?.length ?? 0;
}
