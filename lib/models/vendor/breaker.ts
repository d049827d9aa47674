import {
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  IterableBackoff,
  isBrokenCircuitError,
} from "cockatiel";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/singleton";

/** Consecutive failed calls; retries count. */
const FAILURES_TO_OPEN = 5;
/**
 * After each pause, one probe goes through. The first is short: under load, a brief restart fails five calls. None is
 * long: a single caller's bad requests may have opened the circuit.
 */
const PAUSES_MS = [1000, 2000, 5000];
const MAX_PAUSE_MS = Math.max(...PAUSES_MS);

/** Name of a rejected call's cause. */
const CIRCUIT_OPEN = "CircuitOpen";

export interface Attempt<T> {
  call: () => Promise<T>;
  /** An abort says nothing about the upstream. */
  signal: AbortSignal;
  /** Whether the upstream itself failed, as opposed to rejecting the request. */
  isFailure: (cause: unknown) => boolean;
}

/** A value, or an error that shows the upstream is working. */
type Outcome<T> = { value: T } | { cause: unknown };

class CallerAbortedError extends Error {
  override name = "LeftAlone";
}

/** A circuit breaker for one model at one address, without timers. */
export class CircuitBreaker {
  /** Failed probes since the circuit opened; null while it is closed. */
  #pauses: number | null = null;
  #pausedUntil = 0;
  readonly #circuit = circuitBreaker(
    // An aborted call counts as a failure only if it is the probe.
    handleWhen(
      (cause) =>
        !(cause instanceof CallerAbortedError) || this.#circuit.state === CircuitState.HalfOpen,
    ),
    {
      halfOpenAfter: new IterableBackoff(PAUSES_MS),
      breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
    },
  );

  /** `host` without path and credentials. */
  constructor(private readonly upstream: { host: string; model: string }) {
    this.#circuit.onBreak((reason) => this.#onOpen("error" in reason ? reason.error : undefined));
    this.#circuit.onReset(() => this.#onClosed());
  }

  get isOpen(): boolean {
    return this.#pauses !== null;
  }

  /** Throws what the call throws, or upstream_error with retry-after while the circuit is open. */
  async run<T>(attempt: Attempt<T>): Promise<T> {
    // Cockatiel would make other calls wait for the probe.
    if (this.#circuit.state === CircuitState.HalfOpen) {
      throw this.#rejection();
    }
    try {
      const outcome = await this.#circuit.execute(() => observe(attempt));
      if ("cause" in outcome) {
        throw outcome.cause;
      }
      return outcome.value;
    } catch (cause) {
      if (isBrokenCircuitError(cause)) {
        throw this.#rejection();
      }
      throw cause instanceof CallerAbortedError ? cause.cause : cause;
    }
  }

  #rejection(): AppError {
    const seconds = Math.max(1, Math.ceil((this.#pausedUntil - Date.now()) / 1000));
    const cause = new Error("the upstream failed several times in a row");
    cause.name = CIRCUIT_OPEN;
    return new AppError(
      "upstream_error",
      "The model is failing, so calls to it are paused. Try again in a few seconds, or use another model.",
      { cause, headers: { "retry-after": String(seconds) } },
    );
  }

  #onOpen(cause: unknown): void {
    const pauses = this.#pauses ?? 0;
    this.#pausedUntil = Date.now() + (PAUSES_MS[pauses] ?? MAX_PAUSE_MS);
    if (!this.isOpen) {
      log.warn(
        { ...this.upstream, err: cause },
        "circuit open: allowing one probe request at a time",
      );
    }
    this.#pauses = pauses + 1;
  }

  #onClosed(): void {
    this.#pauses = null;
    log.warn({ ...this.upstream }, "circuit closed: upstream has recovered");
  }
}

/** By name, because the error may come from another bundle's copy of this module. */
export function isCircuitOpen(thrown: unknown): boolean {
  return (
    thrown instanceof AppError &&
    thrown.cause instanceof Error &&
    thrown.cause.name === CIRCUIT_OPEN
  );
}

const breakers = processSingleton("circuit breakers", () => new Map<string, CircuitBreaker>());

export function circuitBreakerFor(baseUrl: string, model: string): CircuitBreaker {
  const name = `${model} ${baseUrl}`;
  const breaker = breakers.get(name) ?? new CircuitBreaker({ host: new URL(baseUrl).host, model });
  breakers.set(name, breaker);
  return breaker;
}

async function observe<T>({ call, signal, isFailure }: Attempt<T>): Promise<Outcome<T>> {
  try {
    return { value: await call() };
  } catch (cause) {
    if (signal.aborted) {
      throw new CallerAbortedError("the caller aborted the call", { cause });
    }
    if (isFailure(cause)) {
      throw cause;
    }
    return { cause };
  }
}
