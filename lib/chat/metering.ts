import { setTimeout as sleep } from "node:timers/promises";
import pRetry from "p-retry";
import { countTokensUsed } from "@/lib/auth/api-key";
import type { KeyContext } from "@/lib/auth/context";
import { type Micros, microsToUsd } from "@/lib/billing/money";
import { type ChatKind, sumCost } from "@/lib/billing/rates";
import { RENEW_HOLD_EVERY_MS, renewHold } from "@/lib/billing/write/hold";
import type { Hold } from "@/lib/billing/write/place-hold";
import { settle } from "@/lib/billing/write/settle";
import { isDatabaseUnavailable } from "@/lib/db/unavailable";
import { toAppError } from "@/lib/http/error-response";
import { abortReason } from "@/lib/http/shutdown";
import { log } from "@/lib/log";
import type { Model } from "@/lib/models/catalogue";
import type { ModelUsage } from "@/lib/models/schema";
import { processSingleton } from "@/lib/singleton";
import type { ChoiceProcessor } from "./choice-processor";
import type { Plan } from "./plan";
import { detailsOf } from "./usage-details";

/** How long the answer of a failed request waits for its hold to be closed. */
const CLOSING_WAIT_MS = 500;
/** Two minutes in all: a database that is restarted is back by then. */
const LATER = {
  retries: 8,
  minTimeout: 1000,
  maxTimeout: 30_000,
  shouldRetry: ({ error }: { error: Error }) => isDatabaseUnavailable(error),
};

/** What is known of a request when it ends. */
export interface CompletionOutcome {
  status: number;
  kind: ChatKind;
  usage: { prompt: number; completion: number };
  /** Null when it ended before there was anything to answer from. */
  answering: ChoiceProcessor | null;
  /** False: a failed request costs nothing. */
  isCharged: boolean;
  firstTokenMs: number | null;
  errorCode?: string;
}

const open = processSingleton("open meters", () => new Set<Promise<void>>());

/** Resolves when no hold of this process is open: its requests have ended, those whose client left as well. */
export async function whenSettled(): Promise<void> {
  while (open.size > 0) {
    await Promise.all(open);
  }
}

/** The money side of one completion: keeps its hold while it lives, closes it and records its usage, once. */
export class Meter {
  /** By `performance.now()`. */
  readonly startedAt: number;
  readonly hold: Hold;
  #isClosed = false;
  #stageBeganAt: number;
  readonly #stages: Record<string, number> = {};
  readonly #renewal: NodeJS.Timeout;
  #noteClosed = () => {};

  constructor(
    readonly ctx: KeyContext,
    readonly plan: Plan,
    { hold, startedAt }: { hold: Hold; startedAt: number },
  ) {
    this.hold = hold;
    this.startedAt = startedAt;
    this.#stageBeganAt = startedAt;
    this.#renewal = setInterval(() => {
      renewHold(hold.id).catch((cause: unknown) =>
        log.warn({ err: cause, request_id: hold.id }, "hold not renewed"),
      );
    }, RENEW_HOLD_EVERY_MS);
    this.#renewal.unref();
    const closed = new Promise<void>((resolve) => {
      this.#noteClosed = resolve;
    });
    open.add(closed);
    void closed.then(() => open.delete(closed));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Since the request began. */
  elapsedMs(): number {
    return Math.round(performance.now() - this.startedAt);
  }

  /** Notes that a stage has ended; the next one begins. The first one begins with the request. */
  endStage(name: "retrieval" | "model" | "verification"): void {
    const now = performance.now();
    this.#stages[name] = Math.round(now - this.#stageBeganAt);
    this.#stageBeganAt = now;
  }

  /** Returns what was charged, as a decimal string of US dollars. Once it has succeeded, it changes nothing more. */
  async close(ending: CompletionOutcome): Promise<string> {
    if (this.#isClosed) {
      return microsToUsd(0n);
    }
    clearInterval(this.#renewal);
    // What cannot be settled now ends with its lease, and nobody waits for it.
    const charged = await this.#settle(ending).finally(this.#noteClosed);
    this.#isClosed = true;
    const { usage, answering } = ending;
    const verified = answering?.verified?.usage ?? { prompt: 0, completion: 0 };
    await countTokensUsed(
      this.ctx.actor,
      usage.prompt + usage.completion + verified.prompt + verified.completion,
    );
    return microsToUsd(charged);
  }

  /**
   * As `close`, for a request that is not answered: a failure of its own goes to the log. While the database is away
   * it is tried again for minutes, of which the caller waits for a moment; the sweep ends what is left.
   */
  async end(ending: CompletionOutcome): Promise<void> {
    const closing = pRetry(() => this.close(ending), LATER).catch((cause: unknown) =>
      log.error({ err: cause, request_id: this.hold.id }, "hold not closed"),
    );
    const waiting = new AbortController();
    const { signal } = waiting;
    await Promise.race([closing, sleep(CLOSING_WAIT_MS, null, { signal }).catch(() => null)]);
    waiting.abort();
  }

  /** Closes the hold of a request that failed. */
  async fail(thrown: unknown, answering: ChoiceProcessor | null): Promise<void> {
    const ending: CompletionOutcome = {
      ...failureOf(thrown, this.ctx.signal),
      kind: "core",
      usage: { prompt: 0, completion: 0 },
      answering,
      isCharged: false,
      firstTokenMs: null,
    };
    await this.end(ending);
  }

  #settle(ending: CompletionOutcome): Promise<Micros> {
    const { status, kind, usage, answering, isCharged, firstTokenMs, errorCode } = ending;
    const { model, isStream, isStored } = this.plan;
    const { cost, rate } = priceOf(model, ending);
    return settle(
      { ...this.hold, costMicros: isCharged ? cost : 0n },
      {
        endpoint: "/v1/chat/completions",
        model: model.id,
        kind,
        promptTokens: usage.prompt,
        completionTokens: usage.completion,
        passages: answering?.grounded.retrieved?.sources.length ?? null,
        rate,
        status,
        warningCodes: answering?.warnings.map(({ code }) => code) ?? [],
        latencyMs: this.elapsedMs(),
        firstTokenMs,
        details: {
          ...(answering && detailsOf(answering)),
          stages_ms: this.#stages,
          is_stream: isStream,
          ...(isStored && status < 400 && { is_stored: true }),
          ...(errorCode && { error_code: errorCode }),
        },
      },
    );
  }
}

/** The price of the answer and of verifying it, and the rates it comes from. */
function priceOf(model: Model, { kind, usage, answering }: CompletionOutcome) {
  const verified = answering?.verified;
  const isVerified = verified && verified.usage.prompt > 0;
  return {
    cost: sumCost([
      { rates: model.rates, kind, tokens: usage },
      ...(isVerified
        ? [{ rates: verified.model.rates, kind: "core" as const, tokens: verified.usage }]
        : []),
    ]),
    rate: {
      ...model.rates[kind],
      ...(isVerified && {
        verification: {
          model: verified.model.id,
          ...verified.model.rates.core,
          prompt_tokens: verified.usage.prompt,
          completion_tokens: verified.usage.completion,
        },
      }),
    },
  };
}

/** OpenAI's usage with what the request cost, and what verifying it used where a model did. */
export function usageWithCost(
  usage: ModelUsage,
  costUsd: string,
  { verified }: ChoiceProcessor,
): ModelUsage {
  return {
    ...usage,
    cost_usd: costUsd,
    ...(verified && {
      verification: {
        model: verified.model.id,
        prompt_tokens: verified.usage.prompt,
        completion_tokens: verified.usage.completion,
      },
    }),
  };
}

/** A client that hung up gets no status; logs and usage records know it by this number. */
const HUNG_UP = { status: 499, errorCode: "client_closed_request" };

/** How a stream that was left in its middle is recorded: by its client, or by a server that stops. */
export function disconnectOutcome(
  signal: AbortSignal,
): Pick<CompletionOutcome, "status" | "errorCode"> {
  const cut = abortReason(signal);
  return cut ? { status: cut.status, errorCode: cut.code } : HUNG_UP;
}

/** The status and the code that a request which ended with an error is recorded under. */
export function failureOf(
  thrown: unknown,
  signal: AbortSignal,
): Pick<CompletionOutcome, "status" | "errorCode"> {
  const { status, code } = toAppError(thrown);
  return signal.aborted ? disconnectOutcome(signal) : { status, errorCode: code };
}
