import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { CHECKED, UNCHECKED } from "@/lib/text/unasserted";
import { signOf } from "../parse/symbols";

/** The parts of a Word file that have text. */
const WORD_TEXT = /^word\/(?:document\d*|footnotes|endnotes|comments)\.xml$/;
const SLIDE = /^ppt\/slides\/slide\d+\.xml$/;
const OPEN_TEXT = /^content\.xml$/;
/** What the parser of a part leaves out: symbols, hyphens, text below its reading, places of skipped cells, boxes and lists of forms, double lines through text. */
export const UNREAD_SIGNS: [part: RegExp, sign: RegExp][] = [
  [
    WORD_TEXT,
    /<w:(?:sym\s|noBreakHyphen\s*\/|ruby[\s>]|gridBefore\s|checkBox[\s>]|ddList[\s>])|<w14:checkbox[\s>]/,
  ],
  [SLIDE, /strike="dblStrike"/],
  [OPEN_TEXT, /FORMCHECKBOX|<form:(?:checkbox|radio)\s/],
];

const SIGN = /<w:sym\s[^>]*>|<w:noBreakHyphen\s*\/>/g;
const RUBY = /<w:ruby[\s>](?:(?!<w:ruby[\s>])[\s\S])*?<\/w:ruby>/g;
const TEXT = /<w:t(?:\s[^>]*)?>([^<]*)<\/w:t>/g;
/** The properties of a row, other than those before a tracked change. */
const ROW = /<w:trPr[\s>](?:(?!<w:trPr[\s>])[\s\S])*?<\/w:trPr>(?!\s*<\/w:trPrChange>)/g;
const SKIPPED = /<w:gridBefore\s[^>]*\bw:val="(\d{1,3})"/;
const MEDIA = /^word\/(?:media|embeddings)\//;

/** A form's field of the old kind, whose state isn't part of the text. */
const FIELD = /<w:fldChar\s[^>]*>\s*<w:ffData(?:\s[^>]*)?>((?:(?!<w:ffData)[\s\S])*?)<\/w:ffData>/g;
/** A box of the newer kind, with the first text of its content. */
const BOX =
  /(<w14:checkbox(?:\s[^>]*)?>((?:(?!<w14:checkbox[\s>])[\s\S])*?)<\/w14:checkbox>(?:(?!<w14:checkbox[\s>]|<w:t[\s>]|<w:sym\s)[\s\S])*)(?:<w:t(?:\s[^>]*)?>[^<]{0,3}<\/w:t>|<w:sym\s[^>]*>)/g;
const OFF = /w(?:14)?:val="(?:0|false|off)"/;
const OPEN_BOX =
  /<field:fieldmark\s[^>]*FORMCHECKBOX[^>]*?(?:\/>|>((?:(?!<field:fieldmark\s)[\s\S])*?)<\/field:fieldmark>)/g;
const OPEN_CONTROL = /<form:(?:checkbox|radio)\s([^>]*)>/g;
const PLACED_CONTROL = /<draw:control\s[^>]*draw:control="([^"]*)"[^>]*>/g;

/**
 * An office file whose inserted symbols, such as µ and ≥, hyphens that don't break, text below its reading, and boxes and
 * lists of forms are plain text, and whose rows that begin further right have an empty cell there.
 */
export function withPlainSigns(bytes: Uint8Array): Uint8Array {
  const parts = unzipSync(bytes, { filter: ({ name }) => !MEDIA.test(name) });
  const texts = Object.entries(parts).flatMap(([name, part]) =>
    UNREAD_SIGNS.some(([kind]) => kind.test(name))
      ? [[name, strToU8(plainPart(name, strFromU8(part)))] as const]
      : [],
  );
  return zipSync({ ...parts, ...Object.fromEntries(texts) }, { level: 0 });
}

function plainPart(name: string, xml: string): string {
  if (WORD_TEXT.test(name)) {
    return plain(xml);
  }
  return SLIDE.test(name) ? xml.replaceAll('strike="dblStrike"', 'strike="sngStrike"') : open(xml);
}

/** A text of OpenDocument with its boxes, and the labels of those that are controls. */
function open(xml: string): string {
  const controls = new Map(
    [...xml.matchAll(OPEN_CONTROL)].map(([, attributes = ""]) => {
      const attribute = (name: string) =>
        new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
      const isChecked = /^(?:checked|true)$/.test(
        attribute("form:current-state") || attribute("form:current-selected"),
      );
      return [
        attribute("form:id"),
        `${isChecked ? CHECKED : UNCHECKED} ${attribute("form:label")} `,
      ];
    }),
  );
  return xml
    .replace(OPEN_BOX, (_, inner: string | undefined) =>
      /Checkbox_Checked"[^>]*"true"/.test(inner ?? "") ? CHECKED : UNCHECKED,
    )
    .replace(PLACED_CONTROL, (control, id: string) => (controls.get(id) ?? "") + control);
}

function plain(xml: string): string {
  return xml
    .replace(FIELD, (field, data: string) => toText(fieldText(data)) + field)
    .replace(BOX, (_, before: string, state: string) => {
      const checked = /<w14:checked\b[^>]*>/.exec(state)?.[0];
      return before + toText(checked && !OFF.test(checked) ? CHECKED : UNCHECKED);
    })
    .replace(SIGN, (tag) => toText(tag.startsWith("<w:sym") ? signIn(tag) : "-"))
    .replace(RUBY, (ruby) => toText(textBelow(ruby)))
    .replace(ROW, (row) => {
      const skipped = SKIPPED.exec(row)?.[1];
      return skipped
        ? `${row}<w:tc><w:tcPr><w:gridSpan w:val="${skipped}"/></w:tcPr><w:p/></w:tc>`
        : row;
    });
}

/** What a form's field shows: a box, or the chosen entry of a list. */
function fieldText(data: string): string {
  if (data.includes("<w:checkBox")) {
    const tag = (/<w:checked\b[^>]*>/.exec(data) ?? /<w:default\b[^>]*>/.exec(data))?.[0];
    return tag && !OFF.test(tag) ? CHECKED : UNCHECKED;
  }
  const entries = [...data.matchAll(/<w:listEntry\s[^>]*w:val="([^"]*)"/g)];
  const chosen = /<w:(?:result|default)\s[^>]*w:val="(\d{1,3})"/.exec(data)?.[1];
  return entries[Number(chosen ?? 0)]?.[1] ?? "";
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
