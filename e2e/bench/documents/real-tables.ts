import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { strFromU8, unzipSync } from "fflate";
import type { ExpectedRow } from "./cells";

/** A file's tables, as something else than the product reads them. */
interface RealTables {
  file: string;
  rows: ExpectedRow[];
}

type Cell = { text: string; across: number; isBelow: boolean };

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
/** A file whose table is the same in every format in which it is there. */
const TWIN = /^notes\./;

/** Formulas, whose text has no other reader here. */
const FORMULA = /<m:oMath/;

/** The tables of a folder's DOCX and PPTX by their XML, and of PDFs by docling's reference output of the same name. */
export async function realTables(folder: string): Promise<RealTables[]> {
  const found: RealTables[] = [];
  const all = await readdir(folder, { recursive: true });
  for (const file of all.filter((name) => /\.(?:docx|pptx)$/.test(name)).sort()) {
    const rows = officeRows(await readFile(path.join(folder, file)));
    const twins = all.filter(
      (name) => TWIN.test(path.basename(file)) && TWIN.test(path.basename(name)),
    );
    const files = file.endsWith(".docx") && twins.length > 0 ? twins : [file];
    found.push(...files.map((each) => ({ file: each, rows })));
  }
  for (const file of all.filter((name) => name.endsWith(".doctags.txt")).sort()) {
    const name = /__[0-9a-f]+__(.*)\.doctags\.txt$/.exec(file)?.[1];
    const pdf = all.find((each) => name && each.endsWith(`__${name}.pdf`));
    const rows = taggedRows(await readFile(path.join(folder, file), "utf8"));
    found.push(...(pdf ? [{ file: pdf, rows }] : []));
  }
  const first = new Set<string>();
  return found.filter(
    ({ file, rows }) => rows.length > 0 && !first.has(file) && first.add(file) !== undefined,
  );
}

function officeRows(bytes: Uint8Array): ExpectedRow[] {
  const parts = unzipSync(bytes, {
    filter: ({ name }) => /^(?:word\/document\d*|ppt\/slides\/slide\d+)\.xml$/.test(name),
  });
  return Object.values(parts).flatMap((part) =>
    [...strFromU8(part).matchAll(/<([wa]):tbl>.*?<\/\1:tbl>/gs)]
      .filter(([table]) => !FORMULA.test(table))
      .flatMap(([table]) =>
        toRows(
          [...table.matchAll(/<([wa]):tr[ >].*?<\/\1:tr>/gs)].map(([row]) =>
            [...row.matchAll(/<([wa]):tc[ >].*?<\/\1:tc>/gs)].flatMap(([cell]) => toCell(cell)),
          ),
        ),
      ),
  );
}

/** Nothing for a place on the right that a merged cell covers, which DOCX doesn't have. */
function toCell(xml: string): Cell[] {
  const isBelow = /vMerge="1"|<w:vMerge(?: w:val="continue")?\/>/.test(xml);
  const across = Number(/(?:gridSpan="|gridSpan w:val=")(\d+)/.exec(xml)?.[1] ?? 1);
  const paragraphs = [...xml.matchAll(/<([wa]):p[ >].*?<\/\1:p>/gs)].map(([paragraph]) =>
    [...paragraph.matchAll(/<[wa]:t(?: [^>]*)?>([^<]*)</g)].map(([, text]) => text).join(""),
  );
  const text = paragraphs
    .join(" ")
    .replace(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
  return xml.includes('hMerge="1"') ? [] : [{ text, across, isBelow }];
}

/** The tables with a header. A list that docling takes for a table has none. */
function taggedRows(text: string): ExpectedRow[] {
  return [...text.matchAll(/<otsl>(.*?)<\/otsl>/gs)].flatMap(([, table = ""]) => {
    const rows = table
      .replace(/<caption>.*?<\/caption>|<loc_\d+>/gs, "")
      .split("<nl>")
      .slice(0, -1);
    const cells = rows.map((row) => taggedCells(row));
    return table.includes("<ched>") ? toRows(cells) : [];
  });
}

function taggedCells(row: string): Cell[] {
  const cells: Cell[] = [];
  for (const [, tag, text = ""] of row.matchAll(/<(\wcel|\whed)>([^<]*)/g)) {
    const last = cells.at(-1);
    if (tag === "lcel" && last) {
      last.across += 1;
    } else {
      cells.push({ text, across: 1, isBelow: tag === "ucel" });
    }
  }
  return cells;
}

function toRows(rows: readonly Cell[][]): ExpectedRow[] {
  let above: string[] = [];
  return rows.map((row) => {
    const cells = row.flatMap(({ text, across, isBelow }) =>
      Array.from({ length: across }, (_, at) => ({ text, isCovered: at > 0 || isBelow, isBelow })),
    );
    const covered = cells.map(({ text, isBelow }, at) => (isBelow ? (above[at] ?? "") : text));
    above = covered;
    return {
      names: [],
      cells: cells.map(({ text, isCovered }) => (isCovered ? "" : text)),
      covered,
    };
  });
}
