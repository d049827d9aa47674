import { AppError } from "@/lib/errors";
import { currentTenant } from "@/lib/platform/db/tenant-context";
import { log } from "@/lib/platform/log";
import { processSingleton } from "@/lib/singleton";
import { Circuit, type Verdict } from "./circuit";

/** One account's requests may make a working upstream fail, so they stop only that account's calls. */
const ACCOUNTS_TO_OPEN_FOR_ALL = 3;

/** Name of a rejected call's cause. */
const CIRCUIT_OPEN = "CircuitOpen";

export interface Attempt<T> {
  call: () => Promise<T>;
  /** An abort says nothing about the upstream. */
  signal: AbortSignal;
  /** Whether the upstream itself failed, as opposed to rejecting the request. */
  isFailure: (cause: unknown) => boolean;
}

/** Two circuits per call, for one model at one address: everyone's, and the calling account's own. */
export class CircuitBreaker {
  readonly #shared = new Circuit(ACCOUNTS_TO_OPEN_FOR_ALL);
  /** Of accounts whose last call failed. */
  readonly #own = new Map<string, Circuit>();

  /** `host` without path and credentials. */
  constructor(private readonly upstream: { host: string; model: string }) {}

  get isOpen(): boolean {
    return this.#shared.isOpen || this.#own.values().some((circuit) => circuit.isOpen);
  }

  /** Throws what the call throws, or upstream_error with retry-after while a circuit is open. */
  async run<T>({ call, signal, isFailure }: Attempt<T>): Promise<T> {
    const account = currentTenant() ?? "";
    const own = this.#own.get(account) ?? new Circuit(1);
    const circuits = [this.#shared, own];
    const open = circuits.filter((circuit) => !circuit.allowsCall());
    if (open.length > 0) {
      throw rejection(Math.max(...open.map(({ secondsLeft }) => secondsLeft)));
    }
    this.#own.set(account, own);
    const ends = circuits.map((circuit) => this.#begin(circuit, account));
    const end = (verdict: Verdict, cause?: unknown) => {
      for (const each of ends) {
        each(verdict, cause);
      }
      if (own.isIdle && this.#own.get(account) === own) {
        this.#own.delete(account);
      }
    };
    try {
      const value = await call();
      end("working");
      return value;
    } catch (cause) {
      end(verdictOf(cause, { signal, isFailure }), cause);
      throw cause;
    }
  }

  /** Logs when the circuit opens and when it closes. */
  #begin(circuit: Circuit, account: string): (verdict: Verdict, cause: unknown) => void {
    const end = circuit.begin(account);
    const whose = circuit === this.#shared ? {} : { account_id: account };
    return (verdict, cause) => {
      const wasOpen = circuit.isOpen;
      end(verdict);
      if (!wasOpen && circuit.isOpen) {
        log.warn(
          { ...this.upstream, ...whose, err: cause },
          "circuit open: allowing one probe request at a time",
        );
      } else if (wasOpen && !circuit.isOpen) {
        log.warn({ ...this.upstream, ...whose }, "circuit closed: upstream has recovered");
      }
    };
  }
}

function verdictOf(
  cause: unknown,
  { signal, isFailure }: Pick<Attempt<unknown>, "signal" | "isFailure">,
): Verdict {
  if (signal.aborted) {
    return null;
  }
  return isFailure(cause) ? "failed" : "working";
}

function rejection(seconds: number): AppError {
  const cause = new Error("the upstream failed several times in a row");
  cause.name = CIRCUIT_OPEN;
  return new AppError(
    "upstream_error",
    "The model is failing, so calls to it are paused. Try again in a few seconds, or use another model.",
    { cause, headers: { "retry-after": String(seconds) } },
  );
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
