import { type Block, paragraph } from "./block";

/** Blocks of a plain text: paragraphs stand between blank lines. */
export function parsePlain(text: string): Block[] {
  return text
    .split(/\n[ \t]*\n/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map(paragraph);
}
