import type { WriteStream } from "node:tty";
import { SingleBar } from "cli-progress";

export interface Progress<T> {
  reach(done: number): void;
  show(state: T): void;
  end(): void;
}

interface ProgressOptions<T> {
  stream: WriteStream;
  initial: T;
  /** Of the bar, with the names of `payload` in braces. */
  format: string;
  payload: (state: T) => Record<string, string | number>;
  line: (percent: number, state: T) => string;
}

const LINE_EVERY_MS = 5000;

/** A bar on a terminal, otherwise a line every few seconds. */
export function openProgress<T>(total: number, options: ProgressOptions<T>): Progress<T> {
  return options.stream.isTTY ? openBar(total, options) : openLines(total, options);
}

function openBar<T>(total: number, options: ProgressOptions<T>): Progress<T> {
  const { stream, format, payload, initial } = options;
  const bar = new SingleBar({ format, hideCursor: true, stream });
  bar.start(total, 0, payload(initial));
  return {
    reach: (done) => bar.update(done),
    show: (state) => bar.update(payload(state)),
    end: () => bar.stop(),
  };
}

function openLines<T>(total: number, { stream, line }: ProgressOptions<T>): Progress<T> {
  let reached = 0;
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    reach: (done) => {
      reached = done;
    },
    show: (state) => {
      if (performance.now() - shownAt >= LINE_EVERY_MS) {
        shownAt = performance.now();
        stream.write(`${line(total > 0 ? Math.floor((100 * reached) / total) : 100, state)}\n`);
      }
    },
    end: () => {
      // Nothing to close.
    },
  };
}
