import type { OfficeContentNode } from "officeparser";
import { openParts } from "../parse/archive";
import { readXml } from "../parse/xml";
import { joinLabel, type ListLevel, levelText } from "./list-labels";

interface List {
  /** Lists of one group count together. */
  group: string;
  levels: Map<number, ListLevel>;
  /** The first numbers of levels that this list doesn't continue. */
  restarts: Map<number, number>;
}

/** How a file's lists are numbered, which the parser doesn't report. */
export interface Numbering {
  lists: Map<string, List>;
  /** Paragraph styles that number their paragraphs. */
  styles: Map<string, { list: string; level: number }>;
  /** Whether the parser's own index of an item is right, as in formats other than Word's. */
  isIndexed: boolean;
}

type Parts = Awaited<ReturnType<typeof openParts>>;

const DEEPEST = 9;
const LONGEST_TEXT = 40;
/** OpenDocument's formats. */
const FORMATS: Record<string, string> = {
  "1": "decimal",
  a: "lowerLetter",
  A: "upperLetter",
  i: "lowerRoman",
  I: "upperRoman",
};

const UNKNOWN_NUMBERING: Numbering = {
  lists: new Map(),
  styles: new Map(),
  isIndexed: true,
};

export async function readNumbering(format: string, bytes: Uint8Array): Promise<Numbering> {
  if (format === "docx") {
    const parts = await openParts(bytes);
    return {
      lists: await readWordLists(parts),
      styles: await readWordStyles(parts),
      isIndexed: false,
    };
  }
  return format === "odt" || format === "odp"
    ? { ...UNKNOWN_NUMBERING, lists: await readOpenLists(await openParts(bytes)) }
    : UNKNOWN_NUMBERING;
}

/** Labels the items of a document in their order; null for one without a number. */
export function itemLabels({
  lists,
  styles,
  isIndexed,
}: Numbering): (node: OfficeContentNode) => string | null {
  const counters = new Map<string, number[]>();
  const restarted = new Set<string>();
  let path: string[] = [];

  function count(list: List, id: string, level: number): number[] {
    const counts = counters.get(list.group) ?? [];
    const restart = list.restarts.get(level);
    const isFirst = !restarted.has(`${id} ${level}`);
    restarted.add(`${id} ${level}`);
    const before = isFirst && restart !== undefined ? restart - 1 : counts[level];
    const start = list.levels.get(level)?.start ?? 1;
    const above = Array.from(
      { length: level },
      (_, at) => counts[at] ?? list.levels.get(at)?.start ?? 1,
    );
    const now = [...above, (before ?? start - 1) + 1];
    counters.set(list.group, now);
    return now;
  }

  function textOf(id: string, level: number, index: number | null): string {
    const list = lists.get(id);
    const definition = list?.levels.get(level);
    if (!list || !definition) {
      return index === null ? "" : `${index + 1}.`;
    }
    const counts =
      index === null
        ? count(list, id, level)
        : [...Array.from({ length: level }, () => 1), index + definition.start];
    const isNumbered = definition.format !== "bullet" && definition.format !== "none";
    return isNumbered ? levelText(counts, list.levels, definition.text) : "";
  }

  function labelOf(item: NumberedItem, above: readonly string[]): string {
    const own = item.isOrdered ? textOf(item.list, item.level, isIndexed ? item.index : null) : "";
    return own === "" || namesAbove(lists.get(item.list), item.level) ? own : joinLabel(above, own);
  }

  return (node) => {
    const item = itemOf(node, styles);
    if (!item) {
      path = node.type === "heading" ? [] : path;
      return null;
    }
    const above = Array.from({ length: item.level }, (_, at) => path[at] ?? "");
    const label = labelOf(item, above);
    path = [...above, label];
    return label || null;
  };
}

interface NumberedItem {
  list: string;
  level: number;
  index: number;
  isOrdered: boolean;
}

/** Whether a level's text has the numbers of the levels above it, such as "2.1". */
function namesAbove(list: List | undefined, level: number): boolean {
  return (list?.levels.get(level)?.text.match(/%[1-9]/g)?.length ?? 0) > 1;
}

function itemOf(node: OfficeContentNode, styles: Numbering["styles"]): NumberedItem | undefined {
  if (node.type === "list") {
    const { listId, indentation, itemIndex, listType } = node.metadata ?? {};
    const level = Math.min(Math.max(indentation ?? 0, 0), DEEPEST);
    const isOrdered = listType === "ordered";
    return { list: listId ?? "", level, index: itemIndex ?? 0, isOrdered };
  }
  const style =
    node.type === "heading" || node.type === "paragraph" ? node.metadata?.style : undefined;
  const found = styles.get(style ?? "");
  return found && { ...found, index: 0, isOrdered: true };
}

function numberOf(value: string | undefined, least = 0): number {
  return Math.min(Math.max(Number.parseInt(value ?? "", 10) || 0, least), 1_000_000);
}

async function readWordLists(parts: Parts): Promise<Map<string, List>> {
  const groups = new Map<string, Map<number, ListLevel>>();
  const lists = new Map<string, List>();
  let levels = new Map<number, ListLevel>();
  let list: List = { group: "", levels, restarts: new Map() };
  let at = 0;
  const set = (change: Partial<ListLevel>) =>
    levels.set(at, { format: "decimal", text: "", start: 1, ...levels.get(at), ...change });
  await readIfThere(parts, "word/numbering.xml", (name, attributes) => {
    const value = attributes["w:val"] ?? "";
    switch (name) {
      case "abstractNum":
        levels = new Map();
        groups.set(attributes["w:abstractNumId"] ?? "", levels);
        break;
      case "num":
        list = { group: "", levels: new Map(), restarts: new Map() };
        lists.set(attributes["w:numId"] ?? "", list);
        break;
      case "abstractNumId":
        // A copy, because the list may have levels of its own.
        levels = new Map(groups.get(value));
        Object.assign(list, { group: value, levels });
        break;
      case "lvl":
      case "lvlOverride":
        at = numberOf(attributes["w:ilvl"]);
        break;
      case "startOverride":
        list.restarts.set(at, numberOf(value));
        break;
      case "start":
        set({ start: numberOf(value) });
        break;
      case "numFmt":
        set({ format: value });
        break;
      case "lvlText":
        set({ text: value.slice(0, LONGEST_TEXT) });
        break;
    }
  });
  return lists;
}

async function readWordStyles(parts: Parts): Promise<Numbering["styles"]> {
  const styles: Numbering["styles"] = new Map();
  let style = "";
  let level = 0;
  await readIfThere(parts, "word/styles.xml", (name, attributes) => {
    if (name === "style") {
      style = attributes["w:styleId"] ?? "";
      level = 0;
    } else if (name === "ilvl") {
      level = numberOf(attributes["w:val"]);
    } else if (name === "numId" && style) {
      styles.set(style, { list: attributes["w:val"] ?? "", level });
    }
  });
  return styles;
}

async function readOpenLists(parts: Parts): Promise<Map<string, List>> {
  const lists = new Map<string, List>();
  let list: List = { group: "", levels: new Map(), restarts: new Map() };
  for (const part of ["styles.xml", "content.xml"]) {
    await readIfThere(parts, part, (name, attributes) => {
      if (name === "list-style") {
        list = { group: "", levels: new Map(), restarts: new Map() };
        lists.set(attributes["style:name"] ?? "", list);
      } else if (name === "list-level-style-number") {
        const level = numberOf(attributes["text:level"], 1) - 1;
        const prefix = attributes["style:num-prefix"] ?? "";
        const text = `${prefix}%${level + 1}${attributes["style:num-suffix"] ?? ""}`;
        const format = FORMATS[attributes["style:num-format"] ?? ""] ?? "none";
        const start = numberOf(attributes["text:start-value"] ?? "1");
        list.levels.set(level, { format, text: text.slice(0, LONGEST_TEXT), start });
      }
    });
  }
  return lists;
}

async function readIfThere(
  parts: Parts,
  name: string,
  open: (name: string, attributes: Record<string, string>) => void,
): Promise<void> {
  if (parts.has(name)) {
    await readXml(await parts.open(name), { open });
  }
}
