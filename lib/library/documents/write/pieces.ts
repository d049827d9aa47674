import "server-only";

/** Passages at first, and at most. */
const FIRST = 8;
const MOST = 512;
/** The next piece is twice as large after one that took less, and half as large after one that took more. */
const FAST_MS = 1500;
const SLOW_MS = 5000;

/**
 * Hands over items in order, in pieces that each take some seconds: little is lost if the embedding model fails or the
 * process ends, and few are needed while it is fast.
 */
export async function inPieces<T>(
  items: readonly T[],
  work: (piece: readonly T[]) => Promise<void>,
): Promise<void> {
  let size = FIRST;
  for (let start = 0; start < items.length; ) {
    const startedAt = performance.now();
    const piece = items.slice(start, start + size);
    await work(piece);
    start += piece.length;
    const tookMs = performance.now() - startedAt;
    if (tookMs < FAST_MS) {
      size = Math.min(MOST, 2 * size);
    } else if (tookMs > SLOW_MS) {
      size = Math.ceil(size / 2);
    }
  }
}
