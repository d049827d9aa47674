import type { OfficeContentNode, OfficeParserAST } from "officeparser";
import { appendStruck } from "@/lib/text/unasserted";
import type { Block } from "../parse/block";
import { isCode, toListing } from "../parse/listing";
import { superscript } from "../parse/superscripts";
import { type TableCell, tableBlocks } from "../parse/table";
import { sheetRows } from "./ods-sheet";
import { cellsOfTable, type SpannedCell } from "./office-cells";

interface NodeContext {
  page: number | undefined;
  /** False for slides and shaded cells, which often have a dark background. */
  isWhiteHidden: boolean;
  /** The notes read so far, numbered in this order. Null in a cell, whose notes follow the table. */
  notes: Set<string> | null;
  labelOf: (node: OfficeContentNode) => string | null;
}

/** Smaller text is invisible. */
const SMALLEST_POINTS = 1;
const WHITE = /^(?:#?f{3}|#?f{6}|white)$/i;
const CODE_STYLE = /^(?:source ?code|code(?: ?block)?|html ?preformatted|preformatted ?text)$/i;
const CODE_FONT = /mono|courier|consolas|menlo|typewriter/i;
/** How a run looked before a tracked change. */
const EARLIER_STYLE = /<w:rPrChange[\s>](?:(?!<w:rPrChange[\s>])[\s\S])*?<\/w:rPrChange>/g;
const VANISHED = /<w:(?:vanish|specVanish|webHidden)(?: w:val="(?:1|true|on)")?\s*\/>/;

/** The blocks of an office document in reading order, with the numbers of pages and slides; `notes` gets those read. */
export function blocksOf(
  { content, type }: OfficeParserAST,
  labelOf: NodeContext["labelOf"],
  notes = new Set<string>(),
): Block[] {
  const isWhiteHidden = type !== "pptx" && type !== "odp";
  const place = { page: undefined, isWhiteHidden, notes, labelOf };
  // The parser puts the notes of an ODP behind all of its slides.
  const nodes =
    type === "odp" ? content.toSorted((a, b) => (pageOf(a) ?? 0) - (pageOf(b) ?? 0)) : content;
  return walk(nodes, place).filter(({ text }) => text.trim());
}

function walk(nodes: readonly OfficeContentNode[], place: NodeContext): Block[] {
  return withListings(nodes).flatMap((node) => {
    if (Array.isArray(node)) {
      const isAnyHidden = node.some((line) => isHidden(line, place));
      const text = toListing(node.map(codeOf).join("\n"));
      const block = blockAt(place, { kind: "paragraph", text, isHidden: isAnyHidden });
      return [block, ...noteBlocks([...node, ...node.flatMap(below)], place)];
    }
    const inner = { ...place, page: pageOf(node) ?? place.page };
    return [...blocksOfNode(node, inner), ...noteBlocks([node], inner)];
  });
}

/** Nodes, with the paragraphs of each listing as one list. */
function withListings(nodes: readonly OfficeContentNode[]) {
  const all: (OfficeContentNode | OfficeContentNode[])[] = [];
  let open: OfficeContentNode[] = [];
  for (const node of [...nodes, null]) {
    if (node && isInCodeFont(node)) {
      open.push(node);
      continue;
    }
    const lines = open.flatMap((line) => codeOf(line).split("\n"));
    const isListing = lines.length > 1 && isCode(lines);
    all.push(...(isListing ? [open] : open), ...(node ? [node] : []));
    open = [];
  }
  return all;
}

/** Whether a paragraph has nothing but text in a font or style for code. */
function isInCodeFont({ type, children = [], metadata }: OfficeContentNode): boolean {
  const style = metadata && "style" in metadata ? String(metadata.style) : "";
  const runs = children.filter(({ text }) => text?.trim());
  return (
    (type === "paragraph" || type === "code") &&
    runs.length > 0 &&
    children.every((node) => isInline(node) && !isMath(node)) &&
    (CODE_STYLE.test(style) ||
      runs.every(({ formatting }) => CODE_FONT.test(formatting?.font ?? "")))
  );
}

function codeOf({ children = [] }: OfficeContentNode): string {
  return textAcross(children);
}

function pageOf(node: OfficeContentNode): number | undefined {
  switch (node.type) {
    case "slide":
      return node.metadata?.slideNumber;
    case "note":
      return node.metadata?.slideNumber;
    default:
      return undefined;
  }
}

function blocksOfNode(node: OfficeContentNode, place: NodeContext): Block[] {
  const children = node.children ?? [];
  switch (node.type) {
    case "sheet":
      return [
        { kind: "heading", depth: 1, text: node.metadata?.sheetName ?? "" },
        ...sheetRows(children, blockText),
      ];
    case "table":
      return blocksOfTable(node, place);
    case "note":
      return noteBlocks([{ type: "text", notes: [node] }], place);
    case "heading": {
      const depth = node.metadata?.level ?? 1;
      return own("heading", node, place).map((block) => ({ ...block, depth }));
    }
    case "list":
      return own("item", node, place);
    case "text":
    case "paragraph":
    case "code":
      return own("paragraph", node, place);
    default:
      return children.length > 0 ? walk(children, place) : own("paragraph", node, place);
  }
}

/** A node's text as a block, then its notes and its nested blocks, such as the list below an item. */
function own(kind: Block["kind"], node: OfficeContentNode, place: NodeContext): Block[] {
  const children = node.children ?? [];
  const inline = children.filter(isInline);
  const nested = children.filter((child) => !isInline(child));
  const label = place.labelOf(node);
  const body = children.length > 0 ? textOf(inline) : (node.text ?? "");
  const text = label && body && kind !== "item" ? `${label} ${body}` : body;
  const facts = blockAt(place, { kind, text, isHidden: isHidden(node, place) });
  const block = label && kind === "item" ? { ...facts, label } : facts;
  return [block, ...noteBlocks(inline, place), ...walk(nested, place)];
}

/** Footnotes, endnotes, speaker notes and comments of nodes. Each is one block, so that it is quoted with its mark. */
function noteBlocks(nodes: readonly OfficeContentNode[], place: NodeContext): Block[] {
  const { notes } = place;
  if (!notes) {
    return [];
  }
  return nodes
    .flatMap((node) => [...(node.notes ?? []), ...(node.comments ?? [])])
    .flatMap((note): Block[] => {
      const mark = markOf(note, notes);
      const inner = { ...place, page: pageOf(note) ?? place.page };
      const blocks = mark ? walk(note.children ?? [], inner) : [];
      const lines = linesOf(blocks);
      const isHidden = blocks.some((block) => block.isHidden);
      const text = `[${mark}] ${lines.join("\n") || (note.text ?? "")}`;
      return mark ? [blockAt(inner, { kind: "paragraph", text, isHidden })] : [];
    });
}

/** Null for a note that was read before, at another reference to it. */
function markOf(note: OfficeContentNode, notes: Set<string>): string | null {
  if (note.type === "comment") {
    return "comment";
  }
  const { noteType, noteId, slideNumber } = note.type === "note" ? (note.metadata ?? {}) : {};
  if (slideNumber !== undefined) {
    return "speaker notes";
  }
  const id = noteId === undefined ? `unnamed ${notes.size}` : `${noteType} ${noteId}`;
  return notes.has(id) ? null : `note ${notes.add(id).size}`;
}

type BlockFacts = Required<Pick<Block, "kind" | "text" | "isHidden">>;

function blockAt({ page }: NodeContext, { kind, text, isHidden }: BlockFacts): Block {
  const place = page !== undefined && { page };
  return { kind, depth: 0, text, ...place, ...(isHidden && { isHidden }) };
}

function isInline(node: OfficeContentNode): boolean {
  return ["text", "break", "image"].includes(node.type) || isMath(node);
}

function isMath(node: OfficeContentNode): boolean {
  return node.type === "code" && node.metadata?.math !== undefined;
}

function textOf(nodes: readonly OfficeContentNode[]): string {
  return textAcross(nodes)
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim();
}

function textAcross(nodes: readonly OfficeContentNode[]): string {
  return nodes.reduce((before, node, at) => {
    const text = inlineText(node, { before, after: nodes[at + 1]?.text ?? "" });
    const isStruck = node.type === "text" && node.formatting?.strikethrough;
    return isStruck ? appendStruck(before, text) : before + text;
  }, "");
}

function inlineText(node: OfficeContentNode, around: { before: string; after: string }): string {
  if (node.type === "break") {
    return "\n";
  }
  if (node.type === "text" && node.formatting?.superscript) {
    return superscript(node.text ?? "", around);
  }
  return isMath(node) ? `$${node.text ?? ""}$` : (node.text ?? "");
}

/** A table with one column only frames its text. */
function blocksOfTable(table: OfficeContentNode, place: NodeContext): Block[] {
  const rows = cellsOfTable(table);
  if (rows.every((row) => row.length < 2)) {
    return rows.flatMap((row) => row.flatMap(({ node }) => walk(node.children ?? [], place)));
  }
  const cells = rows.map((row) => row.map((cell) => toTableCell(cell, place)));
  const page = place.page !== undefined && { page: place.page };
  const blocks = tableBlocks(cells).map((block) => ({ ...block, ...page }));
  return [...blocks, ...noteBlocks(below(table), place)];
}

function toTableCell({ node, ...spans }: SpannedCell, place: NodeContext): TableCell {
  const facts = node.type === "cell" ? (node.metadata ?? undefined) : undefined;
  const isWhiteHidden = place.isWhiteHidden && !facts?.backgroundColor;
  const inner = { ...place, page: undefined, isWhiteHidden, notes: null };
  const blocks = walk(node.children ?? [], inner);
  const runs = below(node).filter(({ type, text }) => type === "text" && text?.trim());
  return {
    ...spans,
    text: linesOf(blocks).join(" "),
    isHeader:
      spans.isHeader ||
      facts?.style === "header" ||
      (runs.length > 0 && runs.every(({ formatting }) => formatting?.bold)),
    isHidden: blocks.some((block) => block.isHidden),
  };
}

/** The lines of blocks that become part of another one, with the names of columns above the rows of a table. */
function linesOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ text, label, head }, at) => {
    const names = head !== undefined && head !== blocks[at - 1]?.head ? [head] : [];
    return [...names, (label ? `${label} ${text}` : text).trim()].filter(Boolean);
  });
}

function below(node: OfficeContentNode): OfficeContentNode[] {
  return (node.children ?? []).flatMap((child) => [child, ...below(child)]);
}

/** The text of a sheet's cell or comment. */
function blockText(cell: OfficeContentNode): string {
  const place = { page: undefined, isWhiteHidden: false, notes: null, labelOf: () => null };
  return walk(cell.children ?? [], place)
    .map(({ text }) => text.trim())
    .filter(Boolean)
    .join(" ");
}

function isHidden(node: OfficeContentNode, place: NodeContext): boolean {
  const isMarked =
    node.htmlAttributes?.hidden !== undefined ||
    VANISHED.test((node.rawContent ?? "").replace(EARLIER_STYLE, ""));
  const runs = node.type === "text" ? [node] : (node.children ?? []).filter(isInline);
  return isMarked || runs.some((run) => isHiddenRun(run, place));
}

function isHiddenRun({ text, formatting }: OfficeContentNode, place: NodeContext): boolean {
  if (!text?.trim() || !formatting) {
    return false;
  }
  const { color = "", backgroundColor, size = "" } = formatting;
  const points = /^([\d.]+)(?:pt)?$/.exec(size)?.[1];
  const isTiny = points !== undefined && Number(points) <= SMALLEST_POINTS;
  return isTiny || (place.isWhiteHidden && !backgroundColor && WHITE.test(color));
}
