import { countTokensUsed } from "@/lib/auth/api-key";
import type { KeyContext } from "@/lib/auth/context";
import { formatUsd, type Micros } from "@/lib/billing/money";
import { type ChatKind, chatCost } from "@/lib/billing/rates";
import type { Hold } from "@/lib/billing/write/admit";
import { RENEW_HOLD_EVERY_MS, renewHold } from "@/lib/billing/write/hold";
import { settle } from "@/lib/billing/write/settle";
import { toAppError } from "@/lib/http/error-response";
import { log } from "@/lib/log";
import type { ModelUsage } from "@/lib/models/schema";
import type { Grounded } from "./ground";
import type { Plan } from "./plan";

/** What is known of a request when it ends. */
export interface Ending {
  status: number;
  kind: ChatKind;
  usage: { prompt: number; completion: number };
  grounded: Grounded | null;
  /** False: a failed request costs nothing. */
  isCharged: boolean;
  firstTokenMs: number | null;
}

/** The money side of one completion: keeps its hold while it lives, closes it and records its usage, once. */
export class Meter {
  readonly startedAt = Date.now();
  #isClosed = false;
  readonly #renewal: NodeJS.Timeout;

  constructor(
    readonly ctx: KeyContext,
    readonly plan: Plan,
    readonly hold: Hold,
  ) {
    this.#renewal = setInterval(() => {
      renewHold(hold.id).catch((cause: unknown) =>
        log.warn({ err: cause, request_id: hold.id }, "hold not renewed"),
      );
    }, RENEW_HOLD_EVERY_MS);
    this.#renewal.unref();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Returns what was charged, as a decimal string of US dollars. Once it has succeeded, it changes nothing more. */
  async close(ending: Ending): Promise<string> {
    if (this.#isClosed) {
      return formatUsd(0n);
    }
    clearInterval(this.#renewal);
    const charged = await this.#settle(ending);
    this.#isClosed = true;
    await countTokensUsed(this.ctx.actor, ending.usage.prompt + ending.usage.completion);
    return formatUsd(charged);
  }

  /** Closes the hold of a request that failed. A failure of its own goes to the log; the sweep ends the hold. */
  async fail(status: number, grounded: Grounded | null): Promise<void> {
    const usage = { prompt: 0, completion: 0 };
    const ending: Ending = {
      status,
      kind: "core",
      usage,
      grounded,
      isCharged: false,
      firstTokenMs: null,
    };
    await this.close(ending).catch((cause: unknown) =>
      log.error({ err: cause, request_id: this.hold.id }, "hold not closed"),
    );
  }

  #settle({ status, kind, usage, grounded, isCharged, firstTokenMs }: Ending): Promise<Micros> {
    const { model } = this.plan;
    return settle(
      { ...this.hold, costMicros: isCharged ? chatCost(model.rates, kind, usage) : 0n },
      {
        endpoint: "/v1/chat/completions",
        model: model.id,
        kind,
        promptTokens: usage.prompt,
        completionTokens: usage.completion,
        passages: grounded?.citations?.length ?? null,
        rate: model.rates[kind],
        status,
        warningCodes: grounded?.warnings.map(({ code }) => code) ?? [],
        latencyMs: Date.now() - this.startedAt,
        firstTokenMs,
      },
    );
  }
}

/** OpenAI's usage with what the request cost. */
export function usageWithCost(
  usage: ModelUsage,
  costUsd: string,
): ModelUsage & { cost_usd: string } {
  return { ...usage, cost_usd: costUsd };
}

/** A client that hung up gets no status; logs and usage records know it by this number. */
export const CLIENT_CLOSED_REQUEST = 499;

/** The status a request that ended with an error is recorded under. */
export function endStatus(thrown: unknown, signal: AbortSignal): number {
  return signal.aborted ? CLIENT_CLOSED_REQUEST : toAppError(thrown).status;
}
