import { termWeights } from "@/lib/text/bm25";
import { type ChunkDraft, chunkBlocks } from "../chunk";
import { resolveTitle } from "../describe";
import { DocumentError } from "../document-error";
import { embeddingText } from "../embedding-text";
import type { Block } from "./block";
import { countSigns, signsIn, toWarnings } from "./hidden-text";
import { parseFile } from "./parse-file";
import type { ReadChunk, ReadDocument, ReadLimits, ReadTask } from "./pool";

/** A document of any format, read from its bytes: its text, chunks and warnings. Throws DocumentError. */
export async function readFile(task: ReadTask, limits: ReadLimits): Promise<ReadDocument> {
  const { mediaType, file } = await parseFile(task, limits);
  const blocks = searchable(file.blocks.map(storable).filter(({ text }) => text));
  const { text, chunks } = chunkBlocks(blocks, limits);
  if (chunks.length === 0) {
    throw new DocumentError("no_extractable_text");
  }
  const title = resolveTitle({ ...task, own: file.title, text });
  // A title that is not one of the text's own lines is shown with each passage all the same.
  const foreign = text.includes(title) ? "" : `${title}\n`;
  const signs = countSigns(foreign + text);
  const seen = blocks.filter(({ isHidden }) => isHidden).length;
  const hidden = seen + (file.warnings.get("hidden_text") ?? 0);
  return {
    mediaType,
    title,
    text,
    pages: file.pages,
    emptyPages: file.emptyPages,
    warnings: toWarnings(
      new Map([
        ...file.warnings,
        ...(hidden > 0 ? [["hidden_text", hidden] as const] : []),
        ...signs,
      ]),
    ),
    chunks: chunks.map((chunk) => {
      const warnings = signsIn(foreign + chunk.text, [...signs.keys()]);
      return toReadChunk(title, chunk, warnings);
    }),
  };
}

function toReadChunk(
  title: string,
  { isHidden, ...chunk }: ChunkDraft,
  signs: readonly string[],
): ReadChunk {
  const warnings = [...(isHidden ? ["hidden_text"] : []), ...signs];
  return { ...chunk, warnings, ...termWeights(embeddingText(title, chunk)) };
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
function storable(block: Block): Block {
  return { ...block, text: block.text.replaceAll("\0", "").toWellFormed().trim() };
}

/** Headings are searched with what stands below them; where nothing does, they are the text. */
function searchable(blocks: Block[]): Block[] {
  return blocks.every(({ kind }) => kind === "heading")
    ? blocks.map((block) => ({ ...block, kind: "paragraph", depth: 0 }))
    : blocks;
}
