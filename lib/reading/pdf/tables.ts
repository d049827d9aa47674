import {
  besideOthers,
  cellColumn,
  cellsOf,
  inReadingOrder,
  occupied,
  type Span,
  spanOf,
} from "./cells";
import { type Box, median, type Row } from "./geometry";
import { type Line, lineText, NUMBER, STARTS_LOWER } from "./lines";
import { MAX_PITCH } from "./spaced-rows";
import { headsOf, rowGroups, toHeadRow, toTableRow } from "./table-rows";

export const CAPTION = /^(?:table|tab\.|tabelle|tableau|tabla|tabella|tabela|表)\s*[\dIVXS]/i;
/** In em: the narrowest gap between columns. */
const MIN_COLUMN_GAP = 0.45;
const MIN_ROWS = 3;
const MIN_ROWS_OF_RULED = 2;
const MAX_COLUMNS = 40;
/** In em: tables without rules or numbers have wider gaps. */
const MIN_TABLE_GAP = 1.5;
/** A line that spans columns, such as a head over two of them, may hide the gap between them this often. */
const MAX_STRADDLERS = 0.12;
/** In a table of fewer lines, a cell that spans columns can't be told from one that is wider than others. */
const LINES_WITH_MERGED = 6;
/** A page with more cells is a map, a drawing or a bomb. */
const MAX_SPANS = 3000;
/** In points: how far the edges or middles of aligned cells may be apart. */
const ALIGNED = 2;
/** The share of a table's rows that have cells in several columns, and of its lines that have them level with each other. */
const MIN_SHARE = 0.5;
const MIN_LEVEL = 0.35;
/** Lines of one cell that may stand between rows. */
const MAX_SINGLES = 2;
const MARKER =
  /^(?:[•‣◦▪●○■□❑➢✓\uf06e\uf06f\uf071\uf076\uf0a7\uf0a8\uf0b7\uf0d8\uf0fc\u2013\u2014*·-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)])$/;
/** A rule below the heads covers at least this share of a table. */
const RULE_SHARE = 0.6;

interface Table {
  start: number;
  end: number;
  rows: Row[];
  heads: number;
}

/** The tables among a region's lines that have no ruled cells, by the gaps between their columns. */
export function tablesOf(lines: readonly Line[], rules: readonly Box[]): Table[] {
  const tables: Table[] = [];
  for (const run of runsOf(lines)) {
    const start = belowCaption(lines, run);
    const whole = toTable(lines, { start, end: withLastCell(lines, run) }, rules);
    const parts = betweenItems(lines, { start, end: run.end }).flatMap(
      (part) => toTable(lines, part, rules) ?? [],
    );
    // The text of items reaches over columns.
    const isSplit = parts.some((part) => widthOf(part) > widthOf(whole));
    tables.push(...(isSplit ? parts : whole ? [whole] : []));
  }
  return tables;
}

/** Where a run ends with the further lines of a cell in its last row, which isn't the first of that row. */
function withLastCell(lines: readonly Line[], { start, end }: Run): number {
  const last = lines[end - 1];
  const left = Math.min(...lines.slice(start, end).map(({ x0 }) => x0));
  const starts = last ? cellsOf(last).map((cell) => spanOf(cell).x0) : [];
  let to = end;
  for (const line of lines.slice(end)) {
    const before = lines[to - 1] ?? line;
    const isTight = line.base - before.base <= MAX_PITCH * line.size;
    const isFirst = STARTS_LOWER.test(lineText(line.words)) && line.x1 < (starts[1] ?? left);
    const isBelow = starts.some(
      (x0) => (isFirst || x0 > left + line.size) && Math.abs(x0 - line.x0) <= ALIGNED,
    );
    if (!isTight || !isBelow || line.words[0]?.table) {
      break;
    }
    to += 1;
  }
  return to;
}

function widthOf(table: Table | null): number {
  return table?.rows[0]?.cells.length ?? 0;
}

/** The parts of a run that are no items of a list, which may stand right above or below a table. */
function betweenItems(lines: readonly Line[], { start, end }: Run): Run[] {
  const parts: Run[] = [];
  for (let at = start; at < end; at += 1) {
    const line = lines[at];
    const last = parts.at(-1);
    if (!line || isItemLine(line)) {
      continue;
    }
    if (last?.end === at) {
      last.end = at + 1;
    } else {
      parts.push({ start: at, end: at + 1 });
    }
  }
  return parts.filter((part) => part.end - part.start < end - start);
}

function isItemLine(line: Line): boolean {
  const [first, ...others] = cellsOf(line);
  return first !== undefined && others.length === 1 && MARKER.test(lineText(first));
}

interface Run {
  start: number;
  end: number;
}

/** Ranges of lines of which most have several cells. */
function runsOf(lines: readonly Line[]): Run[] {
  const beside = besideOthers(lines);
  const several = [...lines.keys()].filter((at) => {
    const line = lines[at];
    return line !== undefined && (cellsOf(line).length > 1 || beside.has(line));
  });
  const runs: Run[] = [];
  for (const at of several) {
    const run = runs.at(-1);
    if (run && at - run.end <= MAX_SINGLES && !isInterrupted(lines.slice(run.end - 1, at + 1))) {
      run.end = at + 1;
    } else {
      runs.push({ start: at, end: at + 1 });
    }
  }
  return runs;
}

function isInterrupted(lines: readonly Line[]): boolean {
  return lines.some((line, at) => at > 0 && line.y0 - (lines[at - 1]?.y1 ?? 0) > 3 * line.size);
}

function toTable(lines: readonly Line[], { start, end }: Run, rules: readonly Box[]): Table | null {
  const body = lines.slice(start, end);
  const several = body.filter((line) => cellsOf(line).length > 1);
  const edges = columnEdges(several);
  const isRuled = rulesWithin(body, rules).length >= 2;
  const isLongEnough = body.length >= (isRuled ? MIN_ROWS_OF_RULED : MIN_ROWS);
  const inColumns = several.filter((line) => occupied(line, edges) > 1);
  const beside = besideOthers(body);
  const parts = body.filter((line) => beside.has(line) || inColumns.includes(line));
  const [, ...inner] = edges;
  // A line below a column other than the first is of a cell. A listing in two lines has such lines, too.
  const isCell = ({ x0 }: Line) => inner.some((edge) => Math.abs(edge - x0) <= ALIGNED);
  const own = inColumns.length < MIN_ROWS ? body : body.filter((line) => !isCell(line));
  if (
    !isLongEnough ||
    edges.length < 2 ||
    edges.length > MAX_COLUMNS ||
    inColumns.length < Math.max(isRuled ? 2 : 3, body.length * MIN_LEVEL) ||
    parts.length < own.length * MIN_SHARE ||
    (!isRuled && isJustifiedProse(several)) ||
    isList(body, edges)
  ) {
    return null;
  }
  const groups = rowGroups(body, rulesWithin(body, rules), edges);
  const rows = groups.map((group) => toTableRow(group, edges));
  const heads = headsOf(groups, rows, rulesWithin(body, rules));
  const named = headsOverValues(groups, heads, edges) ?? rows;
  return { start, end, rows: inReadingOrder(withMergedCells(named, heads)), heads };
}

/** Rows without the columns that have neither a name nor more than one cell: it is merged of those on its sides. */
function withMergedCells(rows: readonly Row[], heads: number): Row[] {
  const width = rows[0]?.cells.length ?? 0;
  const body = rows.slice(heads);
  const merged = Array.from({ length: width }, (_, at) => at).filter((at) => {
    const [cell, ...others] = body.filter(({ cells }) => cells[at]);
    const isNamed = rows.slice(0, heads).some(({ names }) => names[at]);
    const isBetween = at > 0 && at < width - 1 && !cell?.cells[at - 1] && !cell?.cells[at + 1];
    return heads > 0 && !isNamed && cell !== undefined && others.length === 0 && isBetween;
  });
  const without = (texts: readonly string[]) =>
    texts.flatMap((text, at) =>
      merged.includes(at) ? [] : text || (merged.includes(at + 1) ? (texts[at + 1] ?? "") : ""),
    );
  return rows.map((row) => ({ ...row, cells: without(row.cells), names: without(row.names) }));
}

/** The rows in the columns of the values, if heads that are set off from these seem columns of their own; null otherwise. */
function headsOverValues(
  groups: readonly Line[][],
  heads: number,
  edges: readonly number[],
): Row[] | null {
  const body = groups.slice(heads).flat();
  const own = heads > 0 ? columnEdges(body.filter((line) => cellsOf(line).length > 1)) : [];
  if (own.length < 2 || own.length >= edges.length) {
    return null;
  }
  const cells = Map.groupBy(body.flatMap(cellsOf), (cell) => cellColumn(cell, own));
  const spans = own.map((x0, at) => {
    const inside = cells.get(at)?.flat() ?? [];
    return inside.length > 0 ? spanOf(inside) : { x0, x1: x0 };
  });
  return groups.map((group, at) => (at < heads ? toHeadRow(group, spans) : toTableRow(group, own)));
}

/** Where a table starts below its caption, whose number may stand apart from its text like a cell. */
function belowCaption(lines: readonly Line[], { start, end }: Run): number {
  const [first] = lines.slice(start, end);
  if (!first || !CAPTION.test(lineText(first.words))) {
    return start;
  }
  const rest = lines.slice(start + 1, end).findIndex((line) => cellsOf(line).length > 1);
  return rest < 0 ? end : start + 1 + rest;
}

/** Whether the gaps are but the wide spaces of justified lines. */
function isJustifiedProse(lines: readonly Line[]): boolean {
  const gaps = lines.map((line) => {
    const cells = cellsOf(line);
    const wide = cells.map((cell, at) =>
      at === 0 ? 0 : spanOf(cell).x0 - spanOf(cells[at - 1] ?? cell).x1,
    );
    return Math.max(...wide) / line.size;
  });
  const hasNumbers = lines.filter((line) =>
    cellsOf(line).some((cell) => NUMBER.test(lineText(cell))),
  );
  return median(gaps) < MIN_TABLE_GAP && hasNumbers.length < lines.length / 2;
}

/** Where columns start: after each strip that nearly no line covers. */
function columnEdges(lines: readonly Line[]): number[] {
  const em = median(lines.map(({ size }) => size));
  const [head = [], ...body] = lines.map((line) => cellsOf(line).map(spanOf));
  const spans = [...head, ...body.flat()].sort((a, b) => a.x0 - b.x0);
  const most = Math.floor(lines.length * MAX_STRADDLERS);
  // Heads are often wider than their column, or beside its values.
  const isMany = lines.length >= LINES_WITH_MERGED && spans.length <= MAX_SPANS;
  const inside = spans.filter(
    (span) => !isMany || head.includes(span) || !isMerged(span, spans, em),
  );
  const isOne = spans.length - inside.length <= Math.max(1, most);
  return startsOf(isOne ? inside : spans, em, most);
}

/** Whether a cell reaches over a strip that no other one covers, and isn't aligned with those behind it. */
function isMerged(span: Span, spans: readonly Span[], em: number): boolean {
  const behind = spans.filter(({ x0 }) => x0 > span.x0 + MIN_COLUMN_GAP * em && x0 < span.x1);
  const [first] = behind;
  const covers = (other: Span) =>
    first !== undefined && other.x0 < first.x0 && other.x1 > first.x0 - MIN_COLUMN_GAP * em;
  const isAligned = behind.some(
    ({ x0, x1 }) =>
      Math.abs(x1 - span.x1) < ALIGNED || Math.abs(x0 + x1 - span.x0 - span.x1) < ALIGNED,
  );
  return first !== undefined && !isAligned && spans.filter(covers).length === 1;
}

/** The starts of spans before which at most so many of them cover a strip. */
function startsOf(spans: readonly Span[], em: number, most: number): number[] {
  const ends = spans.map(({ x1 }) => x1).sort((a, b) => a - b);
  const starts = spans.map(({ x0 }) => x0);
  const edges = [starts[0] ?? 0];
  let ended = 0;
  for (const [begun, start] of starts.entries()) {
    // How many spans cover the strip that ends at `start`.
    const from = start - MIN_COLUMN_GAP * em;
    while (ended < ends.length && (ends[ended] ?? 0) <= from) {
      ended += 1;
    }
    if (begun > 0 && begun - ended <= most && start - (edges.at(-1) ?? 0) > em) {
      edges.push(start);
    }
  }
  return edges;
}

/** Whether the first column has only bullets or numbers of items. */
function isList(lines: readonly Line[], edges: readonly number[]): boolean {
  const firsts = lines.flatMap((line) => {
    const [cell] = cellsOf(line);
    return cell && cellColumn(cell, edges) === 0 ? [lineText(cell)] : [];
  });
  return edges.length === 2 && firsts.every((text) => MARKER.test(text));
}

/** The long horizontal rules in a table. */
function rulesWithin(lines: readonly Line[], rules: readonly Box[]): Box[] {
  const x0 = Math.min(...lines.map((line) => line.x0));
  const x1 = Math.max(...lines.map((line) => line.x1));
  const top = Math.min(...lines.map(({ y0 }) => y0));
  const bottom = Math.max(...lines.map(({ y1 }) => y1));
  return rules.filter((rule) => {
    const shared = Math.min(rule.x1, x1) - Math.max(rule.x0, x0);
    const isFlat = rule.x1 - rule.x0 > rule.y1 - rule.y0;
    return isFlat && shared >= (x1 - x0) * RULE_SHARE && rule.y1 > top - 8 && rule.y0 < bottom + 8;
  });
}
