import { SingleBar } from "cli-progress";

export interface Progress {
  reachBytes(bytes: number): void;
  show(counts: { added: number; replaced: number; unchanged: number; failed: number }): void;
  end(): void;
}

const LINE_EVERY_MS = 5000;

/** A bar on a terminal, otherwise a line every few seconds. */
export function openProgress(totalBytes: number): Progress {
  return process.stdout.isTTY ? openBar(totalBytes) : openLines(totalBytes);
}

function openBar(totalBytes: number): Progress {
  const bar = new SingleBar({
    format: "{bar} {percentage}% | {documents} documents, {failed} failed | {eta_formatted} left",
    hideCursor: true,
    stream: process.stdout,
  });
  bar.start(totalBytes, 0, { documents: 0, failed: 0 });
  return {
    reachBytes: (bytes) => bar.update(bytes),
    show: ({ added, replaced, unchanged, failed }) =>
      bar.update({ documents: added + replaced + unchanged, failed }),
    end: () => bar.stop(),
  };
}

function openLines(totalBytes: number): Progress {
  let reached = 0;
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    reachBytes: (bytes) => {
      reached = bytes;
    },
    show: ({ added, replaced, unchanged, failed }) => {
      if (performance.now() - shownAt >= LINE_EVERY_MS) {
        shownAt = performance.now();
        const percent = totalBytes > 0 ? Math.floor((100 * reached) / totalBytes) : 100;
        process.stdout.write(
          `${percent}% read: ${added} added, ${replaced} replaced, ${unchanged} unchanged, ${failed} failed\n`,
        );
      }
    },
    end: () => {
      // Nothing to close.
    },
  };
}
