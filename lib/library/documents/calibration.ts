import { yieldIfLong } from "@/lib/event-loop";

/** How the cosines of an embedding model spread over the passages of one embedding space. */
export interface Calibration {
  /** Of the cosines of sentences with passages that they aren't from. */
  mean: number;
  deviation: number;
  /** By how many deviations a sentence is nearer to its own passage than to others, in the median; 0 for noise. */
  separation: number;
}

/** Below this, the model doesn't tell passages apart, and its vectors would only disturb the order. */
export const LEAST_SEPARATION = 2;

/** A model that gives every text the same vector has no deviation. */
const LEAST_DEVIATION = 1e-6;

/** Unit vectors of a sentence, embedded as a query, and the place of the passage that it is from. */
export interface Sentence {
  vector: Float32Array;
  from: number;
}

/** Of at least one sentence and two passages, given by their unit vectors. */
export async function calibrate(
  sentences: readonly Sentence[],
  passages: readonly Float32Array[],
): Promise<Calibration> {
  const own: number[] = [];
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (const { vector, from } of sentences) {
    await yieldIfLong();
    for (const [place, passage] of passages.entries()) {
      const cosine = dot(vector, passage);
      if (place === from) {
        own.push(cosine);
      } else {
        count += 1;
        sum += cosine;
        squares += cosine * cosine;
      }
    }
  }
  const mean = sum / count;
  const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean));
  return deviation < LEAST_DEVIATION
    ? { mean, deviation: 1, separation: 0 }
    : { mean, deviation, separation: (median(own) - mean) / deviation };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let place = 0; place < a.length; place += 1) {
    sum += (a[place] ?? 0) * (b[place] ?? 0);
  }
  return sum;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
