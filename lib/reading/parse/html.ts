import { parseHTML } from "linkedom";
import { appendStruck, CHECKED, UNCHECKED } from "@/lib/text/unasserted";
import { formatNumber, formatOfHtml, joinLabel } from "../office/list-labels";
import { type Block, type ParsedFile, toParsedFile } from "./block";
import { isMarkedHidden, isStruckOut, markStyled } from "./html-styles";
import { toListing, trimLines } from "./listing";
import { superscript } from "./superscripts";
import { type TableCell, tableBlocks } from "./table";

/** Elements that aren't part of the page's text. */
const DROPPED =
  "title, script, style, noscript, template, svg, math, iframe, object, canvas, audio, video, nav, button, [role=navigation], [role=banner], [role=contentinfo], rt, rp, body > header:has(nav), body > footer";
const BLOCKS = new Set(
  "address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form header hr html legend main ol p section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);
/** A table without column names that contains any of these is used for layout. */
const LAYOUT = "ul, ol, table, h1, h2, h3, h4, h5, h6";
/** What browsers limit spans to. */
const MOST_COLUMNS = 1000;
const MOST_ROWS = 65_534;
/** Fields without a value that a reader sees. */
const VALUELESS = /^(?:hidden|password|file|submit|reset|button|image|range|color)$/i;
/** What may have nothing but links: so many of them, and so much of its text. */
const LINK_LISTS = "ul, ol, div, p, aside, section";
const LEAST_LINKS = 5;
const LINK_SHARE = 0.9;

/** The text of a web page, other than its navigation. */
export function parseHtml(text: string): ParsedFile {
  // linkedom needs a body element, which many pages omit.
  const content = text.replace(/<!doctype[^<>]*>|<\/?(?:html|body)(?:\s[^<>]*)?>/gi, "");
  const { document } = parseHTML(`<!doctype html><html><body>${content}</body></html>`);
  const title = document.querySelector("title")?.textContent?.trim() || null;
  markStyled(document);
  for (const element of document.querySelectorAll(DROPPED)) {
    element.remove();
  }
  const lists = [...document.querySelectorAll(LINK_LISTS)].filter(isLinkList);
  const hasMore = lists.length > 0 && lengthOf(document.body) > sumOf(lists.map(lengthOf));
  for (const list of hasMore ? lists : []) {
    list.remove();
  }
  const file = toParsedFile(blocksIn(document.body), title);
  if (hasMore) {
    file.warnings.set("links_left_out", lists.length);
  }
  return file;
}

/** Whether a list or a box has nothing but links, as for navigation. */
function isLinkList(element: Element): boolean {
  const entries = [...element.children];
  const links = entries.flatMap((entry) =>
    entry.localName === "a"
      ? [entry]
      : [...entry.children].filter((each) => each.localName === "a"),
  );
  return (
    entries.length >= LEAST_LINKS &&
    links.length >= entries.length &&
    sumOf(links.map(lengthOf)) >= LINK_SHARE * lengthOf(element)
  );
}

function lengthOf(element: Element): number {
  return element.textContent?.replace(/\s+/g, "").length ?? 0;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** The blocks so far and the current one. */
interface Reading {
  blocks: Block[];
  text: string;
  isHidden: boolean;
  kind: Block["kind"];
  depth: number;
  /** Of the item that begins. */
  label: string;
  /** The numbers that ordered lists have reached. */
  counts: Map<Element, number>;
}

function blocksIn(root: Element, { isStruck } = { isStruck: false }): Block[] {
  const reading: Reading = {
    blocks: [],
    text: "",
    isHidden: false,
    kind: "paragraph",
    depth: 0,
    label: "",
    counts: new Map(),
  };
  readChildren(root, reading, { isHidden: false, isStruck, isPreformatted: false, labels: [] });
  endBlock(reading);
  return reading.blocks;
}

/** Inherited from the enclosing elements. */
interface Around {
  isHidden: boolean;
  isStruck: boolean;
  isPreformatted: boolean;
  /** Of the items around, outermost first; empty for one without a number. */
  labels: readonly string[];
}

function readChildren(parent: Element, reading: Reading, before: Around): void {
  const around = {
    ...before,
    isHidden: before.isHidden || isMarkedHidden(parent),
    isStruck: before.isStruck || isStruckOut(parent),
    isPreformatted: before.isPreformatted || parent.localName === "pre",
  };
  for (const node of parent.childNodes) {
    if (node.nodeType === node.TEXT_NODE) {
      readText(node.textContent ?? "", reading, around);
    } else if (node.nodeType === node.ELEMENT_NODE) {
      readElement(node as Element, reading, around);
    }
  }
}

function readText(text: string, reading: Reading, around: Around): void {
  const lead = reading.text.endsWith(" ") ? /^\s+/ : "";
  const shown = around.isPreformatted ? text : text.replace(lead, "").replace(/\s+/g, " ");
  reading.text = around.isStruck ? appendStruck(reading.text, shown) : reading.text + shown;
  reading.isHidden ||= around.isHidden && text.trim() !== "";
}

/** What a form's field shows. */
function fieldText(field: Element): string {
  const type = field.getAttribute("type") ?? "text";
  if (isMarkedHidden(field) || field.hasAttribute("role") || VALUELESS.test(type)) {
    return "";
  }
  if (/^(?:checkbox|radio)$/i.test(type)) {
    return field.hasAttribute("checked") ? CHECKED : UNCHECKED;
  }
  return field.localName === "select"
    ? [...field.querySelectorAll("option[selected]")].map((each) => each.textContent).join(", ")
    : (field.getAttribute("value") ?? field.textContent ?? "");
}

function readElement(element: Element, reading: Reading, around: Around): void {
  const name = element.localName;
  if (name === "br") {
    reading.text += "\n";
  } else if (/^(?:input|select|textarea)$/.test(name)) {
    const text = fieldText(element).trim();
    reading.text += text && `${reading.text.endsWith(" ") ? "" : " "}${text} `;
  } else if (/^(?:h[1-6]|li)$/.test(name)) {
    endBlock(reading);
    readTitled(element, reading, around);
  } else if (name === "table" && isData(element)) {
    endBlock(reading);
    reading.blocks.push(...blocksOfTable(element, around));
  } else if (name === "pre") {
    endBlock(reading);
    readChildren(element, reading, around);
    endBlock(reading, toListing);
  } else if (BLOCKS.has(name)) {
    endBlock(reading);
    readChildren(element, reading, around);
    endBlock(reading);
  } else {
    readInline(element, reading, around);
  }
}

function readInline(element: Element, reading: Reading, around: Around): void {
  const before = reading.text;
  readChildren(element, reading, around);
  if (element.localName === "sup" && reading.text.startsWith(before)) {
    const next = element.nextSibling;
    const after = (next?.firstChild ?? next)?.nodeValue ?? "";
    reading.text = before + superscript(reading.text.slice(before.length), { before, after });
  }
}

/** A heading or a list item. */
function readTitled(element: Element, reading: Reading, around: Around): void {
  const { kind, depth } = reading;
  if (element.localName === "li") {
    const label = labelOf(element, reading, around);
    Object.assign(reading, { kind: "item", depth: 0, label });
    readChildren(element, reading, { ...around, labels: [...around.labels, label] });
  } else {
    Object.assign(reading, { kind: "heading", depth: Number(element.localName.slice(1)) });
    readChildren(element, reading, around);
  }
  endBlock(reading);
  Object.assign(reading, { kind, depth, label: "" });
}

/** The number of an item in an ordered list. */
function labelOf(item: Element, { counts }: Reading, { labels }: Around): string {
  const list = item.parentElement;
  if (list?.localName !== "ol") {
    return "";
  }
  const start = Number.parseInt(list.getAttribute("start") ?? "1", 10);
  const next = (counts.get(list) ?? (Number.isNaN(start) ? 1 : start) - 1) + 1;
  const own = Number.parseInt(item.getAttribute("value") ?? "", 10);
  const number = Number.isNaN(own) ? next : own;
  counts.set(list, number);
  const format = formatOfHtml(list.getAttribute("type") ?? "", list.getAttribute("style") ?? "");
  return joinLabel(labels, `${formatNumber(number, format)}.`);
}

function endBlock(reading: Reading, toText = trimLines): void {
  const text = toText(reading.text);
  if (text) {
    const { kind, depth, isHidden, label } = reading;
    const marks = { ...(isHidden && { isHidden: true }), ...(label && { label }) };
    reading.blocks.push({ kind, depth, text, ...marks });
    reading.label = "";
  }
  Object.assign(reading, { text: "", isHidden: false });
}

function isData(table: Element): boolean {
  const hasNames = [...table.querySelectorAll("th")].some(
    (name) => name.closest("table") === table,
  );
  return hasNames || table.querySelector(LAYOUT) === null;
}

function blocksOfTable(table: Element, { isHidden, isStruck }: Around): Block[] {
  const caption = table.querySelector("caption");
  const isMarked = isHidden || isMarkedHidden(table);
  const own = [...table.querySelectorAll("tr")].filter((row) => row.closest("table") === table);
  const rows = own.map((row) => {
    const group = row.parentElement;
    const isRowMarked =
      isMarked || isMarkedHidden(row) || (group !== null && isMarkedHidden(group));
    const isRowStruck = isStruck || isStruckOut(row) || isStruckOut(table);
    const around = { isHidden: isRowMarked, isStruck: isRowStruck };
    return [...row.children].map((cell) => cellOf(cell, around, group?.localName === "thead"));
  });
  return [...(caption ? blocksIn(caption) : []), ...tableBlocks(rows)];
}

function cellOf(
  cell: Element,
  { isHidden, isStruck }: Pick<Around, "isHidden" | "isStruck">,
  isHead: boolean,
): TableCell {
  const blocks = blocksIn(cell, { isStruck });
  return {
    text: blocks.map(({ text }) => text).join(" "),
    colSpan: spanOf(cell, "colspan", MOST_COLUMNS),
    rowSpan: spanOf(cell, "rowspan", MOST_ROWS),
    isHeader: isHead || cell.localName === "th",
    isHidden: isHidden || blocks.some((block) => block.isHidden),
  };
}

function spanOf(cell: Element, name: string, most: number): number {
  return Math.min(Math.max(Number.parseInt(cell.getAttribute(name) ?? "1", 10) || 1, 1), most);
}
