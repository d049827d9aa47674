import type { OfficeContentNode, OfficeParserAST } from "officeparser";
import type { Block } from "./block";
import { toRows } from "./csv";

interface NodeContext {
  page: number | undefined;
  /** False for slides, which often have a dark background. */
  isWhiteHidden: boolean;
}

/** Smaller text is invisible. */
const SMALLEST_POINTS = 1;
const WHITE = /^(?:#?f{3}|#?f{6}|white)$/i;
const VANISHED = /<w:(?:vanish|specVanish|webHidden)(?: w:val="(?:1|true|on)")?\s*\/>/;
const NUMBER = /^[-+]?[\d.,]+%?$/;
/** A line at the same end of more than half of the pages is a header or footer. Fewer pages prove nothing. */
const MIN_PAGES = 4;
const MIN_SHARE = 0.5;
/** How many blocks at each end of a page may be such a line, and how long it may be. */
const MAX_LINES = 2;
const MAX_LINE = 120;
const SENTENCE = /[.!?]$/;

/** The blocks of an office document in reading order, with the numbers of pages and slides. */
export function blocksOf({ content, type }: OfficeParserAST): Block[] {
  const blocks = walk(content, { page: undefined, isWhiteHidden: type !== "pptx" });
  return (type === "pdf" ? withoutRunningLines(blocks) : blocks).filter(({ text }) => text.trim());
}

function walk(nodes: readonly OfficeContentNode[], place: NodeContext): Block[] {
  return nodes.flatMap((node) => [...blocksOfNode(node, place), ...walk(node.notes ?? [], place)]);
}

function blocksOfNode(node: OfficeContentNode, place: NodeContext): Block[] {
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

/** A node's text as a block, then its nested blocks, such as the list below an item. */
function own(kind: Block["kind"], node: OfficeContentNode, place: NodeContext): Block[] {
  const children = node.children ?? [];
  const inline = children.filter(isInline);
  const nested = children.filter((child) => !isInline(child));
  const text = children.length > 0 ? textOf(inline) : (node.text ?? "");
  const block = blockAt(place, { kind, text, isHidden: isHidden(node, place) });
  return [block, ...walk(nested, place)];
}

type BlockFacts = Required<Pick<Block, "kind" | "text" | "isHidden">>;

function blockAt({ page }: NodeContext, { kind, text, isHidden }: BlockFacts): Block {
  const place = page !== undefined && { page };
  return { kind, depth: 0, text, ...place, ...(isHidden && { isHidden }) };
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

function rowOf(row: OfficeContentNode, place: NodeContext): Block {
  const cells = (row.children ?? []).map((cell) => cellText(cell));
  const isHidden = runsOf(row).some((run) => isHiddenRun(run, place));
  return blockAt(place, { kind: "row", text: cells.filter(Boolean).join(" | "), isHidden });
}

function cellText(cell: OfficeContentNode): string {
  return walk(cell.children ?? [], { page: undefined, isWhiteHidden: false })
    .map(({ text }) => text.replace(/\s+/g, " ").trim())
    .filter(Boolean)
    .join(" ");
}

/** Rows below the first one that names columns. Rows above it, such as a title, stand for themselves. */
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

function isHidden(node: OfficeContentNode, place: NodeContext): boolean {
  const isMarked =
    node.htmlAttributes?.hidden !== undefined || VANISHED.test(node.rawContent ?? "");
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

/** Drops headers and footers that repeat from page to page, ignoring their numbers. */
function withoutRunningLines(blocks: readonly Block[]): Block[] {
  const pages = [...Map.groupBy(blocks, ({ page }) => page).values()];
  if (pages.length < MIN_PAGES) {
    return [...blocks];
  }
  const counts = new Map<string, number>();
  for (const line of pages.flatMap((page) => [...new Set(endsOf(page).map(patternOf))])) {
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const isRunning = (block: Block) =>
    (counts.get(patternOf(block)) ?? 0) > pages.length * MIN_SHARE;
  return pages.flatMap((page) => {
    const running = new Set(endsOf(page).filter(isRunning));
    return page.filter((block) => !running.has(block));
  });
}

function endsOf(page: readonly Block[]): Block[] {
  const ends = [...page.slice(0, MAX_LINES), ...page.slice(-MAX_LINES)];
  return ends.filter(
    ({ kind, text }) => kind !== "heading" && text.length <= MAX_LINE && !SENTENCE.test(text),
  );
}

function patternOf({ text }: Block): string {
  return text.replace(/\d+/g, "#").replace(/\s+/g, " ").trim();
}
