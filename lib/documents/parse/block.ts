/** One block of a document in reading order: what a chunk may be cut between. */
export interface Block {
  kind: "heading" | "paragraph" | "item" | "row";
  /** Of a heading, from 1; else 0. */
  depth: number;
  text: string;
  /** From 1; absent in a format without pages. */
  page?: number;
  /** Whether a human reader sees none of it, or not all. */
  isHidden?: boolean;
}

/** What a format's reader finds in a file. */
export interface ParsedFile {
  blocks: Block[];
  /** The title the document gives itself, in its properties or its first heading. */
  title: string | null;
  /** Both null in a format without pages. */
  pages: number | null;
  emptyPages: number | null;
  /** What the reader left out or could not tell, by code, with how often. */
  warnings: Map<string, number>;
}

export function paragraph(text: string): Block {
  return { kind: "paragraph", depth: 0, text };
}

/** A file without pages and without complaints; its title is its first heading of the first depth. */
export function toParsedFile(blocks: Block[], title: string | null = null): ParsedFile {
  const heading = blocks.find(({ kind, depth }) => kind === "heading" && depth === 1);
  return {
    blocks,
    title: title ?? heading?.text ?? null,
    pages: null,
    emptyPages: null,
    warnings: new Map(),
  };
}
