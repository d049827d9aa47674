import { countTokensUsed } from "@/lib/auth/api-key";
import type { KeyContext } from "@/lib/auth/context";
import { formatUsd } from "@/lib/billing/money";
import { type ChatKind, chatCost } from "@/lib/billing/rates";
import { type Hold, settle } from "@/lib/billing/write";
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

/** The money side of one completion: closes its hold and records its usage, once. */
export class Meter {
  readonly startedAt = Date.now();
  #isClosed = false;

  constructor(
    readonly ctx: KeyContext,
    readonly plan: Plan,
    readonly hold: Hold,
  ) {}

  /** Returns what was charged, as a decimal string of US dollars. A second call changes nothing. */
  async close(ending: Ending): Promise<string> {
    if (this.#isClosed) {
      return formatUsd(0n);
    }
    this.#isClosed = true;
    const { usage, grounded } = ending;
    const { model } = this.plan;
    const costMicros = ending.isCharged ? chatCost(model.rates, ending.kind, usage) : 0n;
    const charged = await settle(
      { id: this.hold.id, costMicros },
      {
        endpoint: "/v1/chat/completions",
        model: model.id,
        kind: ending.kind,
        promptTokens: usage.prompt,
        completionTokens: usage.completion,
        passages: grounded?.citations?.length ?? null,
        rate: model.rates[ending.kind],
        status: ending.status,
        warningCodes: grounded?.warnings.map(({ code }) => code) ?? [],
        latencyMs: Date.now() - this.startedAt,
        firstTokenMs: ending.firstTokenMs,
      },
    );
    await countTokensUsed(this.ctx.actor, usage.prompt + usage.completion);
    return formatUsd(charged);
  }

  /** Closes the hold of a request that failed. */
  async fail(status: number, grounded: Grounded | null): Promise<void> {
    const usage = { prompt: 0, completion: 0 };
    await this.close({
      status,
      kind: "core",
      usage,
      grounded,
      isCharged: false,
      firstTokenMs: null,
    });
  }
}

/** OpenAI's usage with what the request cost. */
export function usageWithCost(
  usage: ModelUsage,
  costUsd: string,
): ModelUsage & { cost_usd: string } {
  return { ...usage, cost_usd: costUsd };
}
