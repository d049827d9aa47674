import type { Readable } from "node:stream";
import { readXml } from "../parse/xml";
import type { CellComment } from "./sheet-comments";
import { placeOf, type SheetBudget, unescapeText } from "./xlsx-sheet";

/** For programs that know no threads, a cell with a thread has a note that repeats it; only the thread is read. */
export async function readComments(
  { notes, threads }: { notes: Readable | null; threads: Readable | null },
  budget: SheetBudget,
): Promise<CellComment[]> {
  const threaded = threads ? await readTexts(threads, "threadedComment", budget) : [];
  const placeIn = ({ row, column }: CellComment) => `${row} ${column}`;
  const cells = new Set(threaded.map(placeIn));
  const noted = notes ? await readTexts(notes, "comment", budget) : [];
  return [...threaded, ...noted.filter((note) => !cells.has(placeIn(note)))];
}

async function readTexts(
  stream: Readable,
  element: "comment" | "threadedComment",
  budget: SheetBudget,
): Promise<CellComment[]> {
  const comments: CellComment[] = [];
  const inside: string[] = [];
  let reference = "";
  let text = "";
  await readXml(stream, {
    open(name, { ref = "" }) {
      inside.push(name);
      if (name === element) {
        [reference, text] = [ref, ""];
      }
    },
    text(more) {
      const isText = ["t", "text"].includes(inside.at(-1) ?? "") && !inside.includes("rPh");
      text += isText && inside.includes(element) ? more : "";
    },
    close(name) {
      inside.pop();
      const place = name === element ? placeOf(reference) : null;
      if (place) {
        comments.push(...withinBudget({ ...place, text: unescapeText(text) }, budget));
      }
    },
  });
  return comments;
}

function withinBudget(comment: CellComment, budget: SheetBudget): CellComment[] {
  if (budget.cells < 1 || budget.characters < comment.text.length) {
    budget.cutCells += 1;
    return [];
  }
  budget.cells -= 1;
  budget.characters -= comment.text.length;
  return [comment];
}
