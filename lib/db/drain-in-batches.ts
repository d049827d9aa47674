/** Does batches of `size` until one is not full; each says how many it did. Resolves with how many all of them did. */
export async function drainInBatches(size: number, batch: () => Promise<number>): Promise<number> {
  let all = 0;
  for (;;) {
    const count = await batch();
    all += count;
    if (count < size) {
      return all;
    }
  }
}
