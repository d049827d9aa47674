import type { OfficeContentNode, OfficeParserAST } from "officeparser";
import type { Block } from "./block";
import { toRows } from "./csv";
import { withoutRunningLines } from "./running-lines";

/** Where a node stands. */
interface Place {
  page: number | undefined;
  /** Slides are dark as often as not: white says nothing there. */
  isWhiteHidden: boolean;
}

/** Smaller than this no one reads it. */
const SMALLEST_POINTS = 1;
const WHITE = /^(?:#?f{3}|#?f{6}|white)$/i;
const VANISHED = /<w:(?:vanish|specVanish|webHidden)(?: w:val="(?:1|true|on)")?\s*\/>/;
const NUMBER = /^[-+]?[\d.,]+%?$/;

/** The blocks of an office document in reading order, those of pages and slides with their number. */
export function blocksOf({ content, type }: OfficeParserAST): Block[] {
  const blocks = walk(content, { page: undefined, isWhiteHidden: type !== "pptx" });
  return (type === "pdf" ? withoutRunningLines(blocks) : blocks).filter(({ text }) => text.trim());
}

function walk(nodes: readonly OfficeContentNode[], place: Place): Block[] {
  const blocks: Block[] = [];
  for (const node of nodes) {
    for (const block of [...blocksOfNode(node, place), ...walk(node.notes ?? [], place)]) {
      blocks.push(block);
    }
  }
  return blocks;
}

function blocksOfNode(node: OfficeContentNode, place: Place): Block[] {
  const children = node.children ?? [];
  switch (node.type) {
    case "page":
      return walk(children, { ...place, page: node.metadata?.pageNumber });
    case "slide":
      return walk(children, { ...place, page: node.metadata?.slideNumber });
    case "sheet":
      return [
        { kind: "heading", depth: 1, text: node.metadata?.sheetName ?? "" },
        ...sheetRows(children),
      ];
    case "row":
      return [rowOf(node, place)];
    case "heading":
      return own("heading", node, place).map((block) => ({
        ...block,
        depth: node.metadata?.level ?? 1,
      }));
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

/** A node's own text as a block, then the blocks inside it, such as the list below an item. */
function own(kind: Block["kind"], node: OfficeContentNode, place: Place): Block[] {
  const children = node.children ?? [];
  const inline = children.filter(isInline);
  const block: Block = {
    kind,
    depth: 0,
    text: children.length > 0 ? textOf(inline) : (node.text ?? ""),
    ...(place.page !== undefined && { page: place.page }),
    ...(isHidden(node, place) && { isHidden: true }),
  };
  return [
    block,
    ...walk(
      children.filter((child) => !isInline(child)),
      place,
    ),
  ];
}

function isInline({ type }: OfficeContentNode): boolean {
  return type === "text" || type === "break" || type === "image";
}

function textOf(nodes: readonly OfficeContentNode[]): string {
  const text = nodes.map((node) => (node.type === "break" ? "\n" : (node.text ?? ""))).join("");
  return text
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim();
}

function rowOf(row: OfficeContentNode, place: Place): Block {
  const cells = (row.children ?? []).map((cell) => cellText(cell));
  return {
    kind: "row",
    depth: 0,
    text: cells.filter(Boolean).join(" | "),
    ...(place.page !== undefined && { page: place.page }),
    ...(runsOf(row).some((run) => isHiddenRun(run, place)) && { isHidden: true }),
  };
}

function cellText(cell: OfficeContentNode): string {
  return walk(cell.children ?? [], { page: undefined, isWhiteHidden: false })
    .map(({ text }) => text.replace(/\s+/g, " ").trim())
    .filter(Boolean)
    .join(" ");
}

/** Rows under the first row that names columns; what stands above it, such as a title, stands alone. */
function sheetRows(rows: readonly OfficeContentNode[]): Block[] {
  const table = rows.map(cellsOf);
  const named = table.findIndex(isHeader);
  const above = named < 0 ? table : table.slice(0, named);
  return [...toRows([[], ...above]), ...(named < 0 ? [] : toRows(table.slice(named)))];
}

function cellsOf(row: OfficeContentNode): string[] {
  const cells: string[] = [];
  for (const [index, cell] of (row.children ?? []).entries()) {
    cells[(cell.type === "cell" ? cell.metadata?.col : undefined) ?? index] = cellText(cell);
  }
  return Array.from(cells, (text) => text ?? "");
}

function isHeader(row: readonly string[]): boolean {
  const filled = row.filter(Boolean);
  return filled.length > 1 && filled.every((text) => !NUMBER.test(text));
}

function runsOf(node: OfficeContentNode): OfficeContentNode[] {
  const below = (node.children ?? []).flatMap(runsOf);
  return node.type === "text" ? [node, ...below] : below;
}

function isHidden(node: OfficeContentNode, place: Place): boolean {
  const isMarked =
    node.htmlAttributes?.hidden !== undefined || VANISHED.test(node.rawContent ?? "");
  const runs = node.type === "text" ? [node] : (node.children ?? []).filter(isInline);
  return isMarked || runs.some((run) => isHiddenRun(run, place));
}

function isHiddenRun({ text, formatting }: OfficeContentNode, { isWhiteHidden }: Place): boolean {
  if (!text?.trim() || !formatting) {
    return false;
  }
  const { color = "", backgroundColor, size = "" } = formatting;
  const points = /^([\d.]+)(?:pt)?$/.exec(size)?.[1];
  const isTiny = points !== undefined && Number(points) <= SMALLEST_POINTS;
  return isTiny || (isWhiteHidden && !backgroundColor && WHITE.test(color));
}
