import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { signOf } from "../parse/symbols";

/** The parts of a Word file that have text. */
export const WORD_TEXT = /^word\/(?:document\d*|footnotes|endnotes|comments)\.xml$/;
/** What the parser of Word files leaves out: symbols, hyphens, text with a reading above it, and places of skipped cells. */
export const UNREAD_SIGN = /<w:(?:sym\s|noBreakHyphen\s*\/|ruby[\s>]|gridBefore\s)/;

const SIGN = /<w:sym\s[^>]*>|<w:noBreakHyphen\s*\/>/g;
const RUBY = /<w:ruby[\s>](?:(?!<w:ruby[\s>])[\s\S])*?<\/w:ruby>/g;
const TEXT = /<w:t(?:\s[^>]*)?>([^<]*)<\/w:t>/g;
/** The properties of a row, other than those before a tracked change. */
const ROW = /<w:trPr[\s>](?:(?!<w:trPr[\s>])[\s\S])*?<\/w:trPr>(?!\s*<\/w:trPrChange>)/g;
const SKIPPED = /<w:gridBefore\s[^>]*\bw:val="(\d{1,3})"/;
const MEDIA = /^word\/(?:media|embeddings)\//;

/**
 * A Word file whose inserted symbols, such as µ and ≥, hyphens that don't break, and text below its reading are plain text,
 * and whose rows that begin further right have an empty cell there.
 */
export function withPlainSigns(bytes: Uint8Array): Uint8Array {
  const parts = unzipSync(bytes, { filter: ({ name }) => !MEDIA.test(name) });
  const texts = Object.entries(parts).flatMap(([name, part]) =>
    WORD_TEXT.test(name) ? [[name, strToU8(plain(strFromU8(part)))] as const] : [],
  );
  return zipSync({ ...parts, ...Object.fromEntries(texts) }, { level: 0 });
}

function plain(xml: string): string {
  return xml
    .replace(SIGN, (tag) => toText(tag.startsWith("<w:sym") ? signIn(tag) : "-"))
    .replace(RUBY, (ruby) => toText(textBelow(ruby)))
    .replace(ROW, (row) => {
      const skipped = SKIPPED.exec(row)?.[1];
      return skipped
        ? `${row}<w:tc><w:tcPr><w:gridSpan w:val="${skipped}"/></w:tcPr><w:p/></w:tc>`
        : row;
    });
}

function toText(escaped: string): string {
  return `<w:t xml:space="preserve">${escaped}</w:t>`;
}

/** The text that a reading is written above. */
function textBelow(ruby: string): string {
  const base = ruby.slice(Math.max(0, ruby.indexOf("<w:rubyBase")));
  return [...base.matchAll(TEXT)].map(([, text = ""]) => text).join("");
}

function signIn(tag: string): string {
  const code = Number.parseInt(/\bw:char="([0-9A-Fa-f]{1,4})"/.exec(tag)?.[1] ?? "", 16) & 0xff;
  const font = /\bw:font="([^"]*)"/.exec(tag)?.[1] ?? "";
  const sign = signOf(code, /^wingdings/i.test(font) ? "Wingdings" : "Symbol") ?? "";
  return sign.replace("&", "&amp;").replace("<", "&lt;");
}
