import { isProbablyReaderable, Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { formatNumber, formatOfHtml, joinLabel } from "../office/list-labels";
import { type Block, type ParsedFile, toParsedFile } from "./block";
import { toListing, trimLines } from "./listing";
import { superscript } from "./superscripts";
import { type TableCell, tableBlocks } from "./table";

/** Elements that aren't part of the page's text. */
const DROPPED =
  "title, script, style, noscript, template, svg, math, iframe, object, canvas, audio, video, nav, button, select, input, textarea, [role=navigation], [role=banner], [role=contentinfo], rt, rp, body > header:has(nav), body > footer, body > aside";
const BLOCKS = new Set(
  "address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form header hr html legend main ol p section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);
/** A table that contains any of these is used for layout, as is one with lists but without column names. */
const LAYOUT = "table, h1, h2, h3, h4, h5, h6";
/** What browsers limit spans to. */
const MOST_COLUMNS = 1000;
const MOST_ROWS = 65_534;
const HIDING =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)|font-size\s*:\s*(?:0|1px|1pt|1%|0?\.\d+(?!\d|r?em)[a-z%]*|0?\.[01]\d*r?em)(?:px|pt|r?em|%)?\s*(?:;|!|$))/i;
const WHITE =
  /(?:^|;)\s*color\s*:\s*(?:white|#fff(?:fff)?|rgb\(\s*255[,\s]+255[,\s]+255\s*\))\s*(?:;|!|$)/i;
const MEDIA_RULES = /@media\b([^{}]*)\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/gi;
/** Paper, or a screen of a certain size or setting, unless any screen has it. */
const ON_SOME_MEDIA = /^\s*(?:only\s+)?print\b|\((?!\s*min-(?:width|height)\s*:\s*[01](?:\D|$))/i;
const COMMENTS = /\/\*[\s\S]*?(?:\*\/|$)/g;
/** Bounded, to keep the time linear. */
const RULES = /([^{}@]{1,500})\{([^{}]{0,2000})\}/g;
const MOST_SELECTORS = 200;
/** Tags, classes, ids and attributes below each other. Structural pseudo-classes would take quadratic time. */
const LINEAR_SELECTOR =
  /^(?:[\w.#*>,\s-]|\[[\w-]+(?:[~|^$*]?=(?:"[^"\]]*"|'[^'\]]*'|[\w-]+))?\])+$/;
/** Elements that the selectors of a page may visit, ancestors included: about a second of CPU time. */
const MAX_VISITS = 20_000_000;
/** Marks hidden elements, which are then made visible so that Readability doesn't drop them unreported. */
const MARK = "data-was-hidden";
/** Below this share of the page's text, the article is incomplete. */
const LEAST_SHARE = 0.5;

/** The text of a web page's article, or of its whole body. */
export function parseHtml(text: string): ParsedFile {
  // linkedom needs a body element, which many pages omit.
  const content = text.replace(/<!doctype[^<>]*>|<\/?(?:html|body)(?:\s[^<>]*)?>/gi, "");
  const { document } = parseHTML(`<!doctype html><html><body>${content}</body></html>`);
  const title = document.querySelector("title")?.textContent?.trim() || null;
  markHidden(document);
  for (const element of document.querySelectorAll(DROPPED)) {
    element.remove();
  }
  const whole = blocksIn(document.body);
  const article = articleOf(document);
  const found = article ? blocksIn(article) : [];
  return toParsedFile(lengthOf(found) >= lengthOf(whole) * LEAST_SHARE ? found : whole, title);
}

/** Modifies the document. */
function articleOf(document: Document): Element | null {
  if (!isProbablyReaderable(document)) {
    return null;
  }
  const serializer = (node: Node) => node as Element;
  return new Readability<Element>(document, { serializer }).parse()?.content ?? null;
}

function lengthOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { text }) => sum + text.length, 0);
}

/** A style sheet without its comments and its rules for paper or for some screens, such as those that leave out buttons. */
function withoutMediaRules(sheet: string): string {
  return sheet
    .replace(COMMENTS, " ")
    .replace(MEDIA_RULES, (rules, media: string) =>
      media.split(",").every((each) => ON_SOME_MEDIA.test(each)) ? "" : rules,
    );
}

function markHidden(document: Document): void {
  const selectors = [...document.querySelectorAll("style")]
    .flatMap((style) => [...withoutMediaRules(style.textContent ?? "").matchAll(RULES)])
    .filter(([, , rules = ""]) => HIDING.test(rules))
    .slice(0, MOST_SELECTORS)
    .map(([, selector = ""]) => selector.trim());
  const styled = withinVisits(document, selectors).flatMap((selector) =>
    select(document, selector),
  );
  const inline = select(document, "[style], [hidden]").filter(isHidden);
  for (const element of [...styled, ...inline]) {
    element.setAttribute(MARK, "");
    element.removeAttribute("style");
    element.removeAttribute("hidden");
  }
}

/** The selectors that can be matched in linear time and, together, within the limit on visits. */
function withinVisits(document: Document, selectors: readonly string[]): string[] {
  const { count, depth } = measureTree(document);
  let left = MAX_VISITS;
  return selectors.filter((selector) => {
    if (!LINEAR_SELECTOR.test(selector)) {
      return false;
    }
    const alternatives = selector.split(",").length;
    const combinators = selector.match(/[^\s,>][\s>]+(?=[^\s,>])/g)?.length ?? 0;
    left -= count * (alternatives + combinators * depth);
    return left >= 0;
  });
}

function measureTree(document: Document): { count: number; depth: number } {
  const depths = new Map<Element | null, number>();
  let depth = 0;
  for (const element of document.querySelectorAll("*")) {
    const own = (depths.get(element.parentElement) ?? 0) + 1;
    depths.set(element, own);
    depth = Math.max(depth, own);
  }
  return { count: depths.size, depth };
}

function isHidden(element: Element): boolean {
  const style = element.getAttribute("style") ?? "";
  const isWhite = WHITE.test(style) && !/background/i.test(style);
  return element.hasAttribute("hidden") || HIDING.test(style) || isWhite;
}

function select(document: Document, selector: string): Element[] {
  try {
    return [...document.querySelectorAll(selector)];
  } catch {
    // The library doesn't know newer selectors.
    return [];
  }
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

function blocksIn(root: Element): Block[] {
  const reading: Reading = {
    blocks: [],
    text: "",
    isHidden: false,
    kind: "paragraph",
    depth: 0,
    label: "",
    counts: new Map(),
  };
  readChildren(root, reading, { isHidden: false, isPreformatted: false, labels: [] });
  endBlock(reading);
  return reading.blocks;
}

/** Inherited from the enclosing elements. */
interface Around {
  isHidden: boolean;
  isPreformatted: boolean;
  /** Of the items around, outermost first; empty for one without a number. */
  labels: readonly string[];
}

function readChildren(parent: Element, reading: Reading, around: Around): void {
  const isHidden = around.isHidden || parent.hasAttribute(MARK);
  const isPreformatted = around.isPreformatted || parent.localName === "pre";
  for (const node of parent.childNodes) {
    if (node.nodeType === node.TEXT_NODE) {
      const text = node.textContent ?? "";
      reading.text += isPreformatted ? text : text.replace(/\s+/g, " ");
      reading.isHidden ||= isHidden && text.trim() !== "";
    } else if (node.nodeType === node.ELEMENT_NODE) {
      readElement(node as Element, reading, { ...around, isHidden, isPreformatted });
    }
  }
}

function readElement(element: Element, reading: Reading, around: Around): void {
  const name = element.localName;
  if (name === "br") {
    reading.text += "\n";
  } else if (/^(?:h[1-6]|li)$/.test(name)) {
    endBlock(reading);
    readTitled(element, reading, around);
  } else if (name === "table" && isData(element)) {
    endBlock(reading);
    reading.blocks.push(...blocksOfTable(element, around.isHidden));
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
    reading.text = before + superscript(before, reading.text.slice(before.length));
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
  const isListed = table.querySelector("ul, ol") !== null && table.querySelector("th") === null;
  return !isListed && table.querySelector(LAYOUT) === null;
}

function blocksOfTable(table: Element, isHidden: boolean): Block[] {
  const caption = table.querySelector("caption");
  const isMarked = isHidden || table.hasAttribute(MARK);
  const rows = [...table.querySelectorAll("tr")].map((row) => {
    const group = row.parentElement;
    const isRowMarked = isMarked || row.hasAttribute(MARK) || group?.hasAttribute(MARK) === true;
    return [...row.children].map((cell) => cellOf(cell, isRowMarked, group?.localName === "thead"));
  });
  return [...(caption ? blocksIn(caption) : []), ...tableBlocks(rows)];
}

function cellOf(cell: Element, isHidden: boolean, isHead: boolean): TableCell {
  const blocks = blocksIn(cell);
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
