import type { SentenceAnalysis } from "./analyze-passage";
import { isAmong, isEqual, type QuantityMismatch } from "./quantity-check";
import type { RowSentence } from "./row-sentence";

/**
 * Whether a claim is about both rows, each named before or after everything it takes from the other. Otherwise words of
 * one row and numbers of another would together support what neither says.
 */
export function isAboutBoth(
  claim: SentenceAnalysis,
  sentences: readonly [SentenceAnalysis, SentenceAnalysis],
  subjects: readonly [ReadonlySet<string>, ReadonlySet<string>],
): boolean {
  const areNamed = subjects.every((one) =>
    claim.terms.some(({ keys }) => keys.some((key) => one.has(key))),
  );
  return areNamed && areSaidInTurn(claim, sentences, subjects);
}

function areSaidInTurn(
  claim: SentenceAnalysis,
  sentences: readonly [SentenceAnalysis, SentenceAnalysis],
  subjects: readonly [ReadonlySet<string>, ReadonlySet<string>],
): boolean {
  const said = sentences.map(({ terms }) => new Set(terms.flatMap(({ keys }) => keys)));
  const sides = [
    ...claim.terms.map(({ keys, token }) => ({
      token,
      in: said.map((one) => keys.some((key) => one.has(key))),
      names: subjects.map((one) => keys.some((key) => one.has(key))),
    })),
    ...claim.quantities.map((quantity) => ({
      token: quantity.first,
      in: sentences.map((sentence) => isAmong([sentence], quantity)),
      names: [false, false],
    })),
  ].sort((a, b) => a.token - b.token);
  const own = sides.flatMap(({ in: [first, second], names }) =>
    first === second ? [] : { side: first ? 0 : 1, isName: names[first ? 0 : 1] },
  );
  const changes = own.filter(({ side }, at) => at > 0 && side !== own[at - 1]?.side);
  const isNamed = (side: number) => own.some((each) => each.side === side && each.isName);
  return changes.length === 1 && isNamed(0) && isNamed(1);
}

/** The numbers that a claim gives for another column than the row does. */
export function columnMismatches(
  claim: SentenceAnalysis,
  row: RowSentence,
  { quantities }: SentenceAnalysis,
): QuantityMismatch[] {
  const named = columnsNamed(claim, row);
  const all = new Set(named.map(({ column }) => column));
  const numbers = claim.quantities.filter((own) => quantities.some((other) => isEqual(own, other)));
  const isPaired = named.length === numbers.length && named.length > 1;
  return numbers.flatMap((own, at): QuantityMismatch[] => {
    const cells = quantities
      .filter((other) => isEqual(own, other))
      .map(({ first }) => row.cellOf(first));
    const wanted = isPaired ? new Set([named[at]?.column ?? 0]) : all;
    const isElsewhere = wanted.size > 0 && !cells.some((cell) => cell === 0 || wanted.has(cell));
    return isElsewhere ? [{ reason: "number", isContradiction: false }] : [];
  });
}

/** The columns that a claim names by words that no other column has, in its order. */
function columnsNamed({ terms }: SentenceAnalysis, { columns, subject }: RowSentence) {
  const named: { column: number; token: number }[] = [];
  for (const { keys, token } of terms) {
    const found = [...columns.entries()].filter(([, names]) => keys.some((key) => names.has(key)));
    const [only] = found;
    const isOther = !keys.some((key) => subject.has(key)) && only?.[0] !== 0;
    if (found.length === 1 && only && isOther && named.at(-1)?.column !== only[0]) {
      named.push({ column: only[0], token });
    }
  }
  return named;
}
