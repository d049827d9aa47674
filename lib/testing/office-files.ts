import { docxFiles, wordParagraph, zip } from "./document-files";

/** Parts of office files that hold more than plain text, for tests. */

const W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

interface WordNotes {
  footnotes?: string[];
  endnotes?: string[];
  comments?: string[];
}

/** The reference to a note or comment, by its index from 1. */
export function wordReference(kind: "footnote" | "endnote" | "comment", id: number): string {
  return `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
}

/** A DOCX with notes and comments, whose paragraphs refer to them with `wordReference`. */
export function docxWithNotes(body: string, notes: WordNotes): Uint8Array {
  const part = (tag: string, texts: string[] = []) =>
    `<?xml version="1.0"?><w:${tag}s xmlns:w="${W}">${texts.map((text, index) => `<w:${tag} w:id="${index + 1}">${wordParagraph(text)}</w:${tag}>`).join("")}</w:${tag}s>`;
  return zip({
    ...docxFiles(body),
    "word/footnotes.xml": part("footnote", notes.footnotes),
    "word/endnotes.xml": part("endnote", notes.endnotes),
    "word/comments.xml": part("comment", notes.comments),
  });
}

/** A DOCX cell: its text, and the properties that merge it with others. */
export function wordCell(text: string, properties = ""): string {
  return `<w:tc><w:tcPr>${properties}</w:tcPr>${wordParagraph(text)}</w:tc>`;
}

/** A row of cells, with the header mark if it is one. */
export function wordRow(cells: string[], isHeader = false): string {
  return `<w:tr><w:trPr>${isHeader ? "<w:tblHeader/>" : ""}</w:trPr>${cells.join("")}</w:tr>`;
}
