/** What a regression is fitted to. */
export interface FittedSample {
  features: Record<string, number>;
  isSupport: boolean;
  weight: number;
}

export interface Fit {
  intercept: number;
  coefficients: Record<string, number>;
}

/** Of the squares of standardized weights. */
const PENALTY = 10;
const STEPS = 30;

/** A logistic regression by Newton's method, with L2 regularization of standardized features. */
export function fitLogistic(samples: readonly FittedSample[]): Fit {
  const names = Object.keys(samples[0]?.features ?? {});
  const scales = names.map((name) => scaleOf(samples.map(({ features }) => features[name] ?? 0)));
  const rows = samples.map(({ features }) => [
    1,
    ...names.map((name, at) => {
      const { mean, deviation } = scales[at] ?? { mean: 0, deviation: 1 };
      return ((features[name] ?? 0) - mean) / deviation;
    }),
  ]);
  let weights = rows[0]?.map(() => 0) ?? [];
  for (let step = 0; step < STEPS; step += 1) {
    weights = improve(weights, rows, samples);
  }
  const [first = 0, ...rest] = weights;
  const own = rest.map((weight, at) => weight / (scales[at]?.deviation ?? 1));
  const shift = own.reduce((sum, weight, at) => sum + weight * (scales[at]?.mean ?? 0), 0);
  return {
    intercept: first - shift,
    coefficients: Object.fromEntries(names.map((name, at) => [name, own[at] ?? 0])),
  };
}

function scaleOf(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) || 1 };
}

/** One step of Newton's method. */
function improve(
  weights: readonly number[],
  rows: readonly (readonly number[])[],
  samples: readonly FittedSample[],
): number[] {
  const penalties: number[] = weights.map((_, at) => (at === 0 ? 0 : PENALTY));
  const gradient = weights.map((weight, at) => (penalties[at] ?? 0) * weight);
  const curvature = weights.map((_, at) =>
    weights.map((_other, column) => (at === column ? (penalties[at] ?? 0) : 0)),
  );
  for (const [at, row] of rows.entries()) {
    const { weight = 0, isSupport = false } = samples[at] ?? {};
    const score = row.reduce((sum, value, column) => sum + value * (weights[column] ?? 0), 0);
    const expected = 1 / (1 + Math.exp(-score));
    for (const [one, value] of row.entries()) {
      gradient[one] = (gradient[one] ?? 0) + weight * (expected - Number(isSupport)) * value;
      for (const [other, second] of row.entries()) {
        const line = curvature[one] ?? [];
        line[other] = (line[other] ?? 0) + weight * expected * (1 - expected) * value * second;
      }
    }
  }
  const step = solve(curvature, gradient);
  return weights.map((weight, at) => weight - (step[at] ?? 0));
}

/** Solves a symmetric positive definite system by elimination. */
function solve(matrix: number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  const size = rows.length;
  for (let pivot = 0; pivot < size; pivot += 1) {
    const own = rows[pivot] ?? [];
    for (let at = 0; at < size; at += 1) {
      const row = rows[at] ?? [];
      const factor = at === pivot ? 0 : (row[pivot] ?? 0) / (own[pivot] ?? 1);
      rows[at] = row.map((value, column) => value - factor * (own[column] ?? 0));
    }
  }
  return rows.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1));
}
