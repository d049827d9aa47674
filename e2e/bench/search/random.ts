/** A deterministic random number generator, with one stream per list of seeds. */
export class Random {
  private state: number;

  constructor(...seeds: number[]) {
    this.state = 0x9e3779b9;
    for (const seed of seeds) {
      this.state = mix(this.state ^ mix(seed + 0x85ebca6b));
    }
  }

  /** From 0 to below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    return (mix(this.state) >>> 0) / 0x1_0000_0000;
  }

  /** An integer from 0 to below `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** An integer in a range, inclusive. */
  within(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** A random item of a non-empty list. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  shuffle<T>(list: T[]): T[] {
    for (let last = list.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [list[last], list[other]] = [list[other] as T, list[last] as T];
    }
    return list;
  }
}

function mix(seed: number): number {
  let value = seed;
  value = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  value = Math.imul(value ^ (value >>> 15), 0x735a2d97);
  return value ^ (value >>> 15);
}
