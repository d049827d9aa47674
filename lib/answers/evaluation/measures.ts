/** Normalized discounted cumulative gain of a ranking, with the grades as gains. */
export function ndcg(
  ranking: readonly string[],
  relevant: ReadonlyMap<string, number>,
  at: number,
): number {
  const sum = (gains: readonly number[]) =>
    gains.slice(0, at).reduce((total, gain, index) => total + gain / Math.log2(index + 2), 0);
  const best = [...relevant.values()].sort((a, b) => b - a);
  return sum(ranking.map((id) => relevant.get(id) ?? 0)) / sum(best);
}

/** The share of the relevant documents among the first of a ranking. */
export function recall(
  ranking: readonly string[],
  relevant: ReadonlyMap<string, number>,
  at: number,
): number {
  return ranking.slice(0, at).filter((id) => relevant.has(id)).length / relevant.size;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
