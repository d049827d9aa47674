const MARK = "\\deleted";
const IS_DELETED = /\\deleted(?![a-z0-9])/;
/** Where a group begins or ends; escaped braces don't. */
const BRACE = /\\[\s\S]|[{}]/g;

/** An RTF without the text that its tracked changes delete, which the parser would read. */
export function withoutDeletions(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return file.includes(MARK)
    ? Buffer.from(withoutDeletedRuns(file.toString("latin1")), "latin1")
    : bytes;
}

/** A run is a group without groups of its own. One pass, because a file may have millions of braces. */
function withoutDeletedRuns(rtf: string): string {
  const kept: string[] = [];
  let from = 0;
  let start = -1;
  for (const { 0: brace, index } of rtf.matchAll(BRACE)) {
    if (brace === "{") {
      start = index;
    } else if (brace === "}") {
      if (start >= 0 && IS_DELETED.test(rtf.slice(start, index))) {
        kept.push(rtf.slice(from, start));
        from = index + 1;
      }
      start = -1;
    }
  }
  return kept.join("") + rtf.slice(from);
}
