/** Repeats `batch` until it handles fewer than `size` items. Resolves with the total. */
export async function drainInBatches(size: number, batch: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await batch();
    total += count;
    if (count < size) {
      return total;
    }
  }
}
