import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { toString as plainText } from "mdast-util-to-string";
import { gfm } from "micromark-extension-gfm";
import { DocumentFault } from "./fault";

/** One block of a document in reading order: what a chunk may be cut between. */
export interface Block {
  kind: "heading" | "paragraph" | "item" | "row";
  /** Of a heading, from 1; else 0. */
  depth: number;
  text: string;
}

type Node = ReturnType<typeof fromMarkdown>["children"][number];

/** Whether a name or the text itself says Markdown. */
export function isMarkdown(name: string | null, text: string): boolean {
  return /\.(md|markdown|mdown)$/i.test(name ?? "") || /^#{1,6} \S/m.test(text);
}

/** The text of a file. Throws unsupported_format when its bytes are not UTF-8 text. */
export function decodeText(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) {
      return text.replace(/\r\n?/g, "\n");
    }
  } catch {
    // Falls through to the same sentence: what is not text cannot be read as text.
  }
  throw new DocumentFault(
    "unsupported_format",
    "The file is not UTF-8 text. Send plain text or Markdown in UTF-8.",
  );
}

/** Blocks of a plain text: paragraphs stand between blank lines. */
export function parsePlain(text: string): Block[] {
  return text
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
    .map((paragraph) => ({ kind: "paragraph", depth: 0, text: paragraph }));
}

/** Blocks of a Markdown text (CommonMark with GitHub's tables), without its marks. */
export function parseMarkdown(text: string): Block[] {
  const withoutFrontMatter = text.replace(/^---\n[\s\S]*?\n---\n/, "");
  const tree = fromMarkdown(withoutFrontMatter, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  return tree.children.flatMap(blocksOf).filter(({ text }) => text);
}

function blocksOf(node: Node): Block[] {
  switch (node.type) {
    case "heading":
      return [{ kind: "heading", depth: node.depth, text: flat(node) }];
    case "list":
      return node.children.flatMap((item) => item.children.flatMap(blocksOf)).map(asItem);
    case "blockquote":
      return node.children.flatMap(blocksOf);
    case "table":
      return node.children.map((row) => ({
        kind: "row",
        depth: 0,
        text: row.children.map(flat).join(" | "),
      }));
    case "code":
      return [{ kind: "paragraph", depth: 0, text: node.value.trim() }];
    case "html":
    case "definition":
    case "thematicBreak":
      return [];
    default:
      return [{ kind: "paragraph", depth: 0, text: flat(node) }];
  }
}

function asItem(block: Block): Block {
  return block.kind === "paragraph" ? { ...block, kind: "item" } : block;
}

function flat(node: unknown): string {
  return plainText(node, { includeHtml: false }).replace(/\s+/g, " ").trim();
}
