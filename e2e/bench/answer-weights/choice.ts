/** A question's sentences with what is known of each, and which of them answer; none if the sources don't. */
export interface Choice {
  rows: readonly (readonly number[])[];
  answers: readonly boolean[];
}

export interface LinearFit {
  intercept: number;
  weights: readonly number[];
}

/** L2 penalty on the standardized weights, for the whole set. */
const L2_PENALTY = 25;
const STEPS = 300;
const LEARNING_RATE = 0.05;
/** Of Adam: how much of the mean gradient and of its square is kept per step. */
const MOMENT_DECAY = { mean: 0.9, square: 0.999 };
const EPSILON = 1e-8;
const MAX_SUM = 30;

/**
 * Conditional logit over a question's sentences plus "no answer", whose logit is fixed at 0. Fitted with Adam.
 */
export function fitChoice(choices: readonly Choice[]): LinearFit {
  const scales = scalesOf(choices.flatMap(({ rows }) => rows));
  const scaled = choices.map(({ rows, answers }) => ({
    rows: rows.map((row) => [...standardized(row, scales), 1]),
    targets: targetsOf(answers),
  }));
  const size = scales.length + 1;
  const weights = new Float64Array(size);
  const mean = new Float64Array(size);
  const square = new Float64Array(size);
  for (let step = 1; step <= STEPS; step += 1) {
    const gradient = gradientOf(weights, scaled);
    for (const [at, slope] of gradient.entries()) {
      mean[at] = MOMENT_DECAY.mean * (mean[at] ?? 0) + (1 - MOMENT_DECAY.mean) * slope;
      square[at] = MOMENT_DECAY.square * (square[at] ?? 0) + (1 - MOMENT_DECAY.square) * slope ** 2;
      const [first, second] = [
        (mean[at] ?? 0) / (1 - MOMENT_DECAY.mean ** step),
        (square[at] ?? 0) / (1 - MOMENT_DECAY.square ** step),
      ];
      weights[at] = (weights[at] ?? 0) - (LEARNING_RATE * first) / (Math.sqrt(second) + EPSILON);
    }
  }
  return unscaled(weights, scales);
}

export function sumOf({ intercept, weights }: LinearFit, row: readonly number[]): number {
  return row.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), intercept);
}

function gradientOf(
  weights: Float64Array,
  choices: readonly { rows: number[][]; targets: number[] }[],
): Float64Array {
  const gradient = new Float64Array(weights.length);
  for (const { rows, targets } of choices) {
    const powers = rows.map((row) => {
      const sum = row.reduce((all, value, at) => all + value * (weights[at] ?? 0), 0);
      return Math.exp(Math.max(-MAX_SUM, Math.min(MAX_SUM, sum)));
    });
    const all = powers.reduce((sum, power) => sum + power, 1);
    for (const [index, row] of rows.entries()) {
      const error = (powers[index] ?? 0) / all - (targets[index] ?? 0);
      for (const [at, value] of row.entries()) {
        gradient[at] = (gradient[at] ?? 0) + (error * value) / choices.length;
      }
    }
  }
  for (let at = 0; at < weights.length - 1; at += 1) {
    gradient[at] = (gradient[at] ?? 0) + (L2_PENALTY * (weights[at] ?? 0)) / choices.length;
  }
  return gradient;
}

function targetsOf(answers: readonly boolean[]): number[] {
  const count = Math.max(1, answers.filter(Boolean).length);
  return answers.map((isAnswer) => Number(isAnswer) / count);
}

interface Scale {
  mean: number;
  deviation: number;
}

function scalesOf(rows: readonly (readonly number[])[]): Scale[] {
  return (rows[0] ?? []).map((_, at) => {
    const mean = rows.reduce((sum, row) => sum + (row[at] ?? 0), 0) / rows.length;
    const variance = rows.reduce((sum, row) => sum + ((row[at] ?? 0) - mean) ** 2, 0) / rows.length;
    return { mean, deviation: Math.sqrt(variance) || 1 };
  });
}

function standardized(row: readonly number[], scales: readonly Scale[]): number[] {
  return scales.map(({ mean, deviation }, at) => ((row[at] ?? 0) - mean) / deviation);
}

function unscaled(weights: Float64Array, scales: readonly Scale[]): LinearFit {
  const own = scales.map(({ deviation }, at) => (weights[at] ?? 0) / deviation);
  const shift = scales.reduce((sum, { mean }, at) => sum + (own[at] ?? 0) * mean, 0);
  return { intercept: (weights.at(-1) ?? 0) - shift, weights: own };
}
