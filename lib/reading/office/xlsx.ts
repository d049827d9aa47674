import { posix } from "node:path";
import { DocumentError } from "../document-error";
import { type Archive, openParts } from "../parse/archive";
import type { Block, ParsedFile } from "../parse/block";
import type { ReadLimits } from "../parse/read-task";
import { readXml } from "../parse/xml";
import { patternOf } from "./cell-format";
import { RichText, strikes } from "./rich-text";
import type { CellComment } from "./sheet-comments";
import { readComments } from "./xlsx-comments";
import { type CellContext, readSheet, type SheetBudget, unescapeText } from "./xlsx-sheet";

type Parts = Awaited<ReturnType<typeof openParts>>;

/** Fewer than most text has, so that what is read of a large workbook stays within the limit on chunks. */
const CHARACTERS_PER_TOKEN = 3;
const MOST_CELLS = 1_000_000;
const MOST_PLACES = 20_000_000;
const MOST_STYLES = 65_536;
const WORKBOOK = "xl/workbook.xml";
const PROPERTIES = "docProps/core.xml";

/** Reads a workbook's values as its sheets show them. Formulas aren't calculated: their saved values are read. */
export async function parseXlsx(
  bytes: Uint8Array,
  archive: Archive,
  limits: ReadLimits,
): Promise<ParsedFile> {
  const parts = await openParts(bytes);
  const workbook = archive.mainPart ?? WORKBOOK;
  const related = await readRelations(parts, workbook);
  const { sheets, is1904 } = await readWorkbook(parts, workbook);
  const partOf = (type: string) => related.find((each) => each.type === type)?.part;
  const context: CellContext = {
    is1904,
    strings: await readStrings(parts, partOf("sharedStrings"), limits),
    ...(await readStyles(parts, partOf("styles"))),
  };
  const budget: SheetBudget = {
    cells: MOST_CELLS,
    places: MOST_PLACES,
    characters: Math.min(
      limits.maxExpandedBytes,
      limits.maxChunks * limits.chunkTokens * CHARACTERS_PER_TOKEN,
    ),
    cutCells: 0,
    formulas: 0,
    hidden: 0,
  };
  const found: Block[][] = [];
  for (const { name, id } of sheets) {
    const part = related.find((each) => each.id === id && each.type === "worksheet")?.part;
    if (part && parts.has(part)) {
      const comments = await readSheetComments(parts, part, budget);
      const stream = await parts.open(part);
      const rows = await readSheet({ stream, comments }, context, budget);
      found.push(rows.length > 0 ? [{ kind: "heading", depth: 1, text: name }] : [], rows);
    }
  }
  const warnings = new Map([
    ["incomplete", budget.cutCells],
    ["formulas_left_out", budget.formulas],
    ["hidden_text", budget.hidden],
  ]);
  return {
    blocks: found.flat(),
    title: await readTitle(parts),
    pages: null,
    emptyPages: null,
    warnings: new Map([...warnings].filter(([, count]) => count > 0)),
  };
}

async function readSheetComments(
  parts: Parts,
  sheet: string,
  budget: SheetBudget,
): Promise<CellComment[]> {
  const related = await findRelations(parts, sheet);
  const open = async (type: string) => {
    const part = related.find((each) => each.type === type)?.part;
    return part && parts.has(part) ? parts.open(part) : null;
  };
  const [notes, threads] = [await open("comments"), await open("threadedComment")];
  return readComments({ notes, threads }, budget);
}

interface Relation {
  id: string;
  /** The last part of its URI, such as `worksheet`. */
  type: string;
  part: string;
}

async function readRelations(parts: Parts, source: string): Promise<Relation[]> {
  if (!parts.has(relationsOf(source))) {
    throw new DocumentError("damaged_file");
  }
  return findRelations(parts, source);
}

function relationsOf(source: string): string {
  return `${posix.dirname(source)}/_rels/${posix.basename(source)}.rels`;
}

/** The parts that a part refers to. Most sheets have none. */
async function findRelations(parts: Parts, source: string): Promise<Relation[]> {
  const folder = posix.dirname(source);
  const relations: Relation[] = [];
  const name = relationsOf(source);
  if (!parts.has(name)) {
    return relations;
  }
  await readXml(await parts.open(name), {
    open(tag, { Id: id = "", Type: type = "", Target: target = "", TargetMode: mode }) {
      if (tag === "Relationship" && mode !== "External") {
        const part = posix.resolve("/", folder, target).slice(1);
        relations.push({ id, type: type.slice(type.lastIndexOf("/") + 1), part });
      }
    },
  });
  return relations;
}

async function readWorkbook(
  parts: Parts,
  part: string,
): Promise<{ sheets: { name: string; id: string }[]; is1904: boolean }> {
  const sheets: { name: string; id: string }[] = [];
  let is1904 = false;
  await readXml(await parts.open(part), {
    open(tag, attributes) {
      if (tag === "sheet") {
        const id = Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1] ?? "";
        sheets.push({ name: attributes.name ?? "", id });
      } else if (tag === "workbookPr") {
        is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? "");
      }
    },
  });
  return { sheets, is1904 };
}

/** The strings that cells refer to by index. */
async function readStrings(
  parts: Parts,
  part: string | undefined,
  { maxExpandedBytes }: ReadLimits,
): Promise<string[]> {
  const strings: string[] = [];
  if (!part || !parts.has(part)) {
    return strings;
  }
  let left = maxExpandedBytes;
  const content = new RichText();
  await readXml(await parts.open(part), {
    open: (tag, attributes) => content.open(tag, attributes),
    text: (text) => content.add(text),
    close(tag) {
      content.close();
      if (tag === "si") {
        const text = content.take();
        left -= text.length;
        strings.push(left > 0 ? unescapeText(text) : "");
      }
    },
  });
  return strings;
}

/** Of each style of cells: the number format, and whether its font strikes text out. */
async function readStyles(
  parts: Parts,
  part: string | undefined,
): Promise<Pick<CellContext, "patterns" | "struck">> {
  const own = new Map<number, string>();
  const fonts: boolean[] = [];
  const patterns: (string | null)[] = [];
  const struck: boolean[] = [];
  if (!part || !parts.has(part)) {
    return { patterns, struck };
  }
  let list = "";
  let isStruck = false;
  await readXml(await parts.open(part), {
    open(tag, attributes) {
      const { numFmtId: id = "0", formatCode: code, fontId: font = "" } = attributes;
      isStruck = strikes(isStruck, tag, attributes);
      if (tag === "numFmt" && own.size < MOST_STYLES) {
        own.set(Number(id), code ?? "General");
      } else if (tag === "cellXfs" || tag === "fonts") {
        list = tag;
      } else if (tag === "xf" && list === "cellXfs" && patterns.length < MOST_STYLES) {
        patterns.push(patternOf(Number(id), own));
        struck.push(fonts[Number(font)] ?? false);
      }
    },
    close(tag) {
      if (tag === "font" && list === "fonts" && fonts.length < MOST_STYLES) {
        fonts.push(isStruck);
      }
      list = tag === list ? "" : list;
    },
  });
  return { patterns, struck };
}

async function readTitle(parts: Parts): Promise<string | null> {
  let isTitle = false;
  let title = "";
  if (parts.has(PROPERTIES)) {
    await readXml(await parts.open(PROPERTIES), {
      open: (tag) => {
        isTitle = tag === "title";
      },
      text: (text) => {
        title += isTitle ? text : "";
      },
      close: () => {
        isTitle = false;
      },
    });
  }
  return title.trim() || null;
}
