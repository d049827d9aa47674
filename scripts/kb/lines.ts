/** A line of a file by its number, from 1; no text where it is longer than the limit. */
export interface Line {
  number: number;
  text: string | null;
}

const NEWLINE = 0x0a;

/** The lines of a stream, without holding more of it than one line. Blank ones are left out. */
export async function* linesOf(
  stream: AsyncIterable<Buffer>,
  limitBytes: number,
): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  let number = 1;
  const take = (part: Buffer) => {
    size += part.byteLength;
    parts = size > limitBytes ? [] : [...parts, part];
  };
  const end = (): Line => {
    const text = size > limitBytes ? null : Buffer.concat(parts).toString("utf8");
    parts = [];
    size = 0;
    return { number: number++, text };
  };
  for await (const chunk of stream) {
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, at));
      start = at + 1;
      yield* unlessBlank(end());
    }
    take(chunk.subarray(start));
  }
  yield* unlessBlank(end());
}

function* unlessBlank(line: Line): Generator<Line> {
  if (line.text === null || line.text.trim()) {
    yield line;
  }
}
