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

/** As many calls in a row that the upstream failed; a request makes up to as many as its model has tries. */
const FAILURES_TO_OPEN = 5;
/**
 * Then one call at a time is let through to see. The first pause is short: of many calls at once five may fail in the
 * blink of a restart. None is long: a single caller's poisonous request may have opened it.
 */
const PAUSES_MS = [1000, 2000, 5000];
const LONGEST_PAUSE_MS = Math.max(...PAUSES_MS);

/** What a refused call's error has as its cause. */
const OPEN = "CircuitOpen";

export interface UpstreamName {
  /** Without path and credentials. */
  host: string;
  model: string;
}

export interface Attempt<T> {
  call: () => Promise<T>;
  /** An end by it says nothing of the upstream. */
  signal: AbortSignal;
  /** Whether the upstream failed, in contrast to an answer that says no. */
  isFailure: (cause: unknown) => boolean;
}

/** What the circuit was told of a call: its value, or an error that shows that the upstream is there. */
type Outcome<T> = { value: T } | { cause: unknown };

/** The caller left before the upstream had answered. */
class CallerAbortedError extends Error {
  override name = "LeftAlone";
}

/** Keeps calls from an upstream that has failed several times in a row, but for one at a time. No timers. */
export class CircuitBreaker {
  /** How often it has failed its one call since it opened; null while calls go through. */
  #pauses: number | null = null;
  #pausedUntil = 0;
  readonly #circuit = circuitBreaker(
    // A call that was left alone counts when it is the one that everybody waits for.
    handleWhen(
      (cause) =>
        !(cause instanceof CallerAbortedError) || this.#circuit.state === CircuitState.HalfOpen,
    ),
    {
      halfOpenAfter: new IterableBackoff(PAUSES_MS),
      breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
    },
  );

  constructor(private readonly upstream: UpstreamName) {
    this.#circuit.onBreak((reason) => this.#noteOpen("error" in reason ? reason.error : undefined));
    this.#circuit.onReset(() => this.#noteClosed());
  }

  /** Since when calls are refused or tried one at a time, until the upstream has answered again. */
  get isOpen(): boolean {
    return this.#pauses !== null;
  }

  /** Throws what the call throws, or at once upstream_error with retry-after. */
  async run<T>(attempt: Attempt<T>): Promise<T> {
    // Cockatiel would let others wait for the outcome of the one call.
    if (this.#circuit.state === CircuitState.HalfOpen) {
      throw this.#refusal();
    }
    let left: { cause: unknown } | undefined;
    try {
      const outcome = await this.#circuit.execute(() =>
        observe(attempt, (cause) => {
          left = { cause };
        }),
      );
      if ("cause" in outcome) {
        throw outcome.cause;
      }
      return outcome.value;
    } catch (cause) {
      if (isBrokenCircuitError(cause)) {
        throw this.#refusal();
      }
      throw left ? left.cause : cause;
    }
  }

  #refusal(): AppError {
    const seconds = Math.max(1, Math.ceil((this.#pausedUntil - Date.now()) / 1000));
    const cause = new Error("the upstream has failed several times in a row");
    cause.name = OPEN;
    return new AppError(
      "upstream_error",
      "The model is failing at present, and is given a pause. Try again in some seconds, or use another model.",
      { cause, headers: { "retry-after": String(seconds) } },
    );
  }

  #noteOpen(cause: unknown): void {
    const pauses = this.#pauses ?? 0;
    this.#pausedUntil = Date.now() + (PAUSES_MS[pauses] ?? LONGEST_PAUSE_MS);
    if (!this.isOpen) {
      const facts = { ...this.upstream, err: cause };
      log.warn(facts, "upstream fails: its calls are refused but for one at a time");
    }
    this.#pauses = pauses + 1;
  }

  #noteClosed(): void {
    this.#pauses = null;
    log.warn({ ...this.upstream }, "upstream answers again: its calls go through");
  }
}

/** Whether an error is a breaker's refusal; whichever copy of this module made it. */
export function isCircuitOpen(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.cause instanceof Error && thrown.cause.name === OPEN;
}

const breakers = processSingleton("circuit breakers", () => new Map<string, CircuitBreaker>());

/** The breaker of a model at its upstream's address, one a process. */
export function circuitBreakerFor(baseUrl: string, model: string): CircuitBreaker {
  const name = `${model} ${baseUrl}`;
  const known = breakers.get(name);
  if (known) {
    return known;
  }
  const made = new CircuitBreaker({ host: new URL(baseUrl).host, model });
  breakers.set(name, made);
  return made;
}

async function observe<T>(
  { call, signal, isFailure }: Attempt<T>,
  noteLeft: (cause: unknown) => void,
): Promise<Outcome<T>> {
  try {
    return { value: await call() };
  } catch (cause) {
    if (signal.aborted) {
      noteLeft(cause);
      throw new CallerAbortedError("the caller left");
    }
    if (isFailure(cause)) {
      throw cause;
    }
    return { cause };
  }
}
