import {
  BREAK,
  inFileOrder,
  isCentered,
  linesOfSide,
  type Segment,
  stepsOf,
} from "./column-evidence";
import { median } from "./geometry";

interface Band {
  left: readonly Segment[];
  right: readonly Segment[];
}

/**
 * Splits two columns of centered blocks, such as a paper's authors, into rows, if the file lists each row before the one
 * below it. Otherwise returns one band.
 */
export function blockRows({ left, right }: Band): Band[] {
  const usual = median([left, right].flatMap((side) => stepsOf(linesOfSide(side))));
  const bands: Band[] = [];
  for (const turn of turnsOf(left, right)) {
    let band: Band = turn;
    for (let above = bands.at(-1); above && !isBelow(band, above, usual); above = bands.at(-1)) {
      bands.pop();
      band = { left: [...above.left, ...band.left], right: [...above.right, ...band.right] };
    }
    bands.push(band);
  }
  return bands;
}

/** What the file has from one return to the side that it starts with to the next. */
function turnsOf(left: readonly Segment[], right: readonly Segment[]): Band[] {
  const all = inFileOrder(left, right);
  const starts = [...all.keys()].filter(
    (at) => all[at]?.isLeft === all[0]?.isLeft && all[at - 1]?.isLeft !== all[0]?.isLeft,
  );
  return starts.map((start, turn) => {
    const turnOf = new Set(all.slice(start, starts[turn + 1]).map(({ segment }) => segment));
    const inTurn = (segment: Segment) => turnOf.has(segment);
    return { left: left.filter(inTurn), right: right.filter(inTurn) };
  });
}

/** Whether a band is set off from the centered blocks above it. */
function isBelow(band: Band, above: Band, usual: number): boolean {
  const blocks = [above.left, above.right].map(linesOfSide).filter((lines) => lines.length > 1);
  const bases = ({ left, right }: Band) => [...left, ...right].map(({ base }) => base);
  const step = Math.min(...bases(band)) - Math.max(...bases(above));
  return step > usual * BREAK && blocks.some(isCentered);
}
