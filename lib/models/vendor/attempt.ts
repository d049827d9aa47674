import { setTimeout as sleep } from "node:timers/promises";
import { env } from "@/lib/platform/env";
import { abortReason, isDraining, trackAbandoned } from "@/lib/platform/http/shutdown";
import type { SentCall } from "../sent-call";
import { isTimeout } from "./exchange";
import { isLoading } from "./upstream-error";

/** Long enough for most answers. */
const MAX_READ_ON_MS = 120_000;
/** Enough for a plain answer of ordinary length, of which nothing comes before its end. */
const MAX_SILENCE_MS = 30_000;
const LOADING_PAUSE_MS = 500;

/**
 * One attempt at an upstream. When its caller leaves, an upstream that has the request is read on for its usage, because it
 * may bill what it generates whether anybody reads it or not: while it
 * writes, for some time, within the hold's lease, and not by a server that stops.
 */
export class Attempt {
  sent: SentCall | null = null;
  readonly #upstream = new AbortController();
  #reject = (_reason: unknown) => {};
  #onLeft = () => {};
  #silence: NodeJS.Timeout | null = null;
  readonly #onAbort = () => this.#leave();

  constructor(
    private readonly caller: AbortSignal,
    private readonly onSent: () => SentCall | null,
  ) {
    caller.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Ends the upstream's call. */
  get signal(): AbortSignal {
    return this.#upstream.signal;
  }

  get isLeft(): boolean {
    return this.caller.aborted;
  }

  begin(): void {
    this.sent = this.onSent();
    if (this.isLeft) {
      this.#leave();
    }
  }

  end(how: "answered" | "rejected" | "failed"): void {
    this.caller.removeEventListener("abort", this.#onAbort);
    this.sent?.end(how);
  }

  /** A piece of the answer has come. */
  hear(): void {
    this.#silence?.refresh();
  }

  /** Settles as `work` does, or rejects when the caller leaves. Only for the latest work. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      work.then(resolve, reject);
      if (this.isLeft) {
        reject(this.caller.reason);
      }
    });
  }

  /** `read` reads what is left of a stream whose caller leaves. */
  whenLeft(read: () => void): void {
    this.#onLeft = read;
    if (this.isLeft) {
      read();
    }
  }

  #leave(): void {
    const { caller, sent } = this;
    const { reason } = caller;
    const abort = () => this.#upstream.abort(reason);
    sent?.leave(isTimeout(reason) ? "late" : "left", abort);
    if (!sent || abortReason(caller) || isDraining()) {
      abort();
    } else {
      this.#readOn(sent, abort);
    }
    this.#reject(reason);
    this.#onLeft();
  }

  #readOn(sent: SentCall, abort: () => void): void {
    const leaseMs = env.HOLD_LEASE_SECONDS * 1000;
    const timer = setTimeout(abort, Math.min(MAX_READ_ON_MS, leaseMs));
    const silence = setTimeout(abort, Math.min(MAX_SILENCE_MS, leaseMs));
    this.#silence = silence;
    const untrack = trackAbandoned(this.#upstream);
    void sent.ended.then(() => {
      clearTimeout(timer);
      clearTimeout(silence);
      untrack();
    });
  }
}

/** Asks again while the upstream loads the model, as long as one answer may take. */
export async function whileLoading<T>(
  ask: () => Promise<T>,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<T> {
  const deadline = performance.now() + timeoutMs - LOADING_PAUSE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (cause) {
      if (!isLoading(cause) || performance.now() > deadline) {
        throw cause;
      }
      await sleep(LOADING_PAUSE_MS, undefined, { signal });
    }
  }
}
