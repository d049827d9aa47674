import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { signOf } from "./symbols";

/** The parts of a Word file that have text. */
export const WORD_TEXT = /^word\/(?:document\d*|footnotes|endnotes|comments)\.xml$/;
/** What the parser of Word files leaves out of their text. */
export const UNREAD_SIGN = /<w:(?:sym\s|noBreakHyphen\s*\/)/;

const SIGN = /<w:sym\s[^>]*>|<w:noBreakHyphen\s*\/>/g;
const MEDIA = /^word\/(?:media|embeddings)\//;

/** A Word file whose inserted symbols, such as µ and ≥, and hyphens that don't break are plain text. */
export function withPlainSigns(bytes: Uint8Array): Uint8Array {
  const parts = unzipSync(bytes, { filter: ({ name }) => !MEDIA.test(name) });
  const texts = Object.entries(parts).flatMap(([name, part]) =>
    WORD_TEXT.test(name) ? [[name, strToU8(plain(strFromU8(part)))] as const] : [],
  );
  return zipSync({ ...parts, ...Object.fromEntries(texts) }, { level: 0 });
}

function plain(xml: string): string {
  return xml.replace(SIGN, (tag) => {
    const sign = tag.startsWith("<w:sym") ? signIn(tag) : "-";
    return `<w:t xml:space="preserve">${sign}</w:t>`;
  });
}

function signIn(tag: string): string {
  const code = Number.parseInt(/\bw:char="([0-9A-Fa-f]{1,4})"/.exec(tag)?.[1] ?? "", 16) & 0xff;
  const font = /\bw:font="([^"]*)"/.exec(tag)?.[1] ?? "";
  const sign = signOf(code, /^wingdings/i.test(font) ? "Wingdings" : "Symbol") ?? "";
  return sign.replace("&", "&amp;").replace("<", "&lt;");
}
