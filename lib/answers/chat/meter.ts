import { setTimeout as sleep } from "node:timers/promises";
import pRetry from "p-retry";
import { searchLimiter } from "@/lib/library/retrieval/read/search-limiter";
import type { Model } from "@/lib/models/catalogue";
import { toUsage } from "@/lib/models/message-tokens";
import type { Completion, ModelUsage } from "@/lib/models/schema";
import { SentCalls } from "@/lib/models/sent-call";
import { type Micros, microsToUsd } from "@/lib/money/billing/money";
import {
  type Hold,
  holdWasPlaced,
  placeHold,
  renewRegularly,
} from "@/lib/money/billing/write/hold";
import { settle, settleWith, type Usage } from "@/lib/money/billing/write/settle";
import { countTokensUsed } from "@/lib/platform/auth/api-key";
import type { KeyContext } from "@/lib/platform/auth/context";
import { isDatabaseUnavailable } from "@/lib/platform/db/unavailable";
import { acquireStream } from "@/lib/platform/limits/open-streams";
import { log } from "@/lib/platform/log";
import { processSingleton } from "@/lib/singleton";
import { ChoiceProcessor } from "./choice-processor";
import { ClaimJudge } from "./claim-judge";
import { ground } from "./ground";
import { warningsOfModel } from "./left-out";
import { ANSWERED, type CompletionOutcome, outcomeOf, type Progress } from "./outcome";
import type { Plan } from "./plan";
import { priceOf } from "./price";
import { keepReferable } from "./write/referable";
import { storeCompletion } from "./write/stored";

/** How long a failed request waits for its hold to close before it is answered. */
const CLOSE_WAIT_MS = 500;
/** Two minutes in all: a database that restarts is back by then. */
const CLOSE_RETRIES = {
  retries: 8,
  minTimeout: 1000,
  maxTimeout: 30_000,
  shouldRetry: ({ error }: { error: Error }) => isDatabaseUnavailable(error),
};

/** Stores the answer in the transaction of its settlement; null when it isn't stored. */
type Storing = Parameters<typeof settleWith>[2] | null;

const open = processSingleton("open meters", () => new Set<Promise<void>>());

/** Resolves when no hold of this process is open, those of disconnected clients included. */
export async function whenSettled(): Promise<void> {
  while (open.size > 0) {
    await Promise.all(open);
  }
}

/** Runs a completion under its hold, which `work` closes when it succeeds. Throws as `Meter.open` does. */
export async function withMeter<T>(
  ctx: KeyContext,
  plan: Plan,
  work: (meter: Meter, choices: ChoiceProcessor) => Promise<T>,
): Promise<T> {
  const meter = new Meter(ctx, plan);
  try {
    return await work(meter, await meter.open());
  } catch (thrown) {
    await meter.end(thrown);
    throw thrown;
  }
}

/** Holds the money of one completion while it runs, and settles and records it exactly once. */
export class Meter {
  /** What was sent for the answer. */
  readonly calls = new SentCalls();
  #choices: ChoiceProcessor | null = null;
  #hold: Hold | null = null;
  #isClosed = false;
  #startedAt = 0;
  #stageStartedAt = 0;
  readonly #stages: Record<string, number> = {};
  #releaseStream = () => {};
  #stopRenewal = () => {};
  #resolveClosed = () => {};

  constructor(
    readonly ctx: KeyContext,
    readonly plan: Plan,
  ) {}

  /**
   * Places the hold and searches, at the same time when the key's last request was admitted. Nothing it finds is used
   * without the hold. Throws as `acquireStream`, `shedLoad` if the search is required, `placeHold` and `ground` do.
   */
  async open(): Promise<ChoiceProcessor> {
    const { ctx, plan } = this;
    if (plan.isStream) {
      this.#releaseStream = await acquireStream(ctx.account.id);
    }
    this.#startedAt = performance.now();
    this.#stageStartedAt = this.#startedAt;
    if (plan.retrieval?.options.required) {
      searchLimiter.shedLoad();
    }
    // A model is asked only once its price is held.
    const isEarly = plan.retrieval && !plan.rewrite && !plan.rounds && holdWasPlaced(ctx);
    const holding = placeHold(ctx, plan.worstCaseMicros, plan);
    const grounding = (isEarly ? Promise.resolve() : holding).then(() => ground(ctx, plan));
    // A request refused by its hold doesn't wait for the search, whose rejection must not stay unhandled.
    grounding.catch(() => {});
    this.#keep(await holding);
    const grounded = await grounding;
    if (plan.retrieval) {
      this.endStage("retrieval");
    }
    const { retrieved } = grounded;
    const judge = retrieved && new ClaimJudge(retrieved.sources, plan, ctx.signal);
    this.#choices = new ChoiceProcessor(grounded, judge, {
      rewrite: plan.rewrite,
      rounds: plan.rounds,
      ignored: () => warningsOfModel(plan, this.model),
    });
    return this.#choices;
  }

  #keep(hold: Hold): void {
    this.#hold = hold;
    this.#stopRenewal = renewRegularly(hold.id);
    const { promise, resolve } = Promise.withResolvers<void>();
    open.add(promise);
    this.#resolveClosed = () => {
      open.delete(promise);
      resolve();
    };
  }

  /** The model that answers: the one asked for, or its fallback. */
  get model(): Model {
    return this.calls.current?.model ?? this.plan.model;
  }

  /** Of the call that answered, or that was sent last; none if no model was asked. */
  async usage(): Promise<ModelUsage> {
    await this.calls.count();
    return this.calls.lastBilled?.usage ?? toUsage(0, 0);
  }

  /** Since the request was planned. */
  elapsedMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  /** Ends a stage and starts the next; the first one starts with the request. */
  endStage(name: "retrieval" | "model" | "verification"): void {
    const now = performance.now();
    this.#stages[name] = Math.round(now - this.#stageStartedAt);
    this.#stageStartedAt = now;
  }

  /** Charges, and stores the answer in the same transaction if asked to. Returns the cost in US dollars. */
  async close(progress: Progress, answer: () => Completion): Promise<string> {
    const { ctx, plan } = this;
    if (!plan.isStored && !plan.isReferable) {
      return this.#close(ANSWERED, progress);
    }
    const input = {
      messages: plan.storedMessages,
      settings: plan.origin.stored?.settings() ?? null,
      metadata: plan.body.metadata ?? {},
      response: answer(),
      passages: this.#choices?.passages ?? [],
      knowledgeScopes: plan.knowledgeScopes,
    };
    if (plan.isStored) {
      return this.#close(ANSWERED, progress, (tx) => storeCompletion(ctx, input, tx.query));
    }
    const [cost] = await Promise.all([this.#close(ANSWERED, progress), keepReferable(ctx, input)]);
    return cost;
  }

  /**
   * Closes a request that was not answered, if it is still open. Never rejects. While the database is unavailable
   * it retries for minutes, of which the caller waits a moment; the sweep ends what is left.
   */
  async end(
    thrown: unknown,
    progress = () => this.#unanswered(),
    isStreaming = false,
  ): Promise<void> {
    const hold = this.#hold;
    if (!hold || this.#isClosed) {
      this.#releaseStream();
      return;
    }
    const outcome = outcomeOf(thrown, this.ctx.signal, isStreaming);
    const close = async () => this.#close(outcome, await progress());
    const closing = this.#readOn()
      .then(() => pRetry(close, CLOSE_RETRIES))
      .catch((cause: unknown) => log.error({ err: cause, request_id: hold.id }, "hold not closed"));
    await Promise.race([closing, sleep(CLOSE_WAIT_MS, null, { ref: false })]);
  }

  /**
   * Waits until upstreams whose client has left have reported their usage. Until then the request keeps its stream's slot, or
   * takes one, so that nobody piles up such calls.
   */
  async #readOn(): Promise<void> {
    const calls = this.#allCalls();
    try {
      if (this.ctx.signal.aborted && calls.some((all) => all.isOpen)) {
        if (!this.plan.isStream) {
          this.#releaseStream = await acquireStream(this.ctx.account.id);
        }
        await Promise.all(calls.map((all) => all.ended()));
      }
    } catch (cause) {
      log.debug({ err: cause }, "too many calls are read on for their usage");
    } finally {
      this.#releaseStream();
    }
  }

  /** A request that ended before any of the answer came. */
  async #unanswered(): Promise<Progress> {
    const { isStream, retrieval } = this.plan;
    const isGrounded = isStream ? retrieval : this.#choices?.grounded.retrieved;
    return {
      kind: isGrounded ? "grounded" : "core",
      usage: await this.usage(),
      firstTokenMs: null,
    };
  }

  async #close(
    outcome: CompletionOutcome,
    progress: Progress,
    store: Storing = null,
  ): Promise<string> {
    const hold = this.#hold;
    if (!hold || this.#isClosed) {
      return microsToUsd(0n);
    }
    this.#stopRenewal();
    // A settlement that fails leaves the hold to its lease, and shutdown doesn't wait for it.
    const charged = await this.#settle(hold, { outcome, progress, store }).finally(
      this.#resolveClosed,
    );
    this.#isClosed = true;
    const tokens = this.#allCalls().reduce((sum, calls) => sum + calls.bill().tokens, 0);
    await countTokensUsed(this.ctx, tokens);
    return microsToUsd(charged);
  }

  #allCalls(): SentCalls[] {
    const { rewrite, rounds } = this.plan;
    return [
      this.calls,
      [rewrite, rounds].flatMap((own) => own?.calls ?? []),
      this.#choices?.verified?.calls ?? [],
    ].flat();
  }

  async #settle(
    hold: Hold,
    {
      outcome: { status, errorCode, isCharged },
      progress,
      store,
    }: { outcome: CompletionOutcome; progress: Progress; store: Storing },
  ): Promise<Micros> {
    const { plan } = this;
    const choices = this.#choices;
    // What nobody waits for any more ends here.
    await Promise.all(this.#allCalls().map((calls) => calls.close()));
    const { cost, unbilled, rate } = priceOf(this.model.rates, progress.kind, {
      answer: this.calls.bill(isCharged),
      rewrite: plan.rewrite?.calls.bill(isCharged),
      search: plan.rounds?.calls.bill(isCharged),
      verification: choices?.verified?.calls.bill(isCharged),
    });
    const usage: Usage = {
      endpoint: plan.origin.endpoint,
      model: this.model.id,
      kind: progress.kind,
      promptTokens: isCharged ? progress.usage.prompt_tokens : 0,
      completionTokens: isCharged ? progress.usage.completion_tokens : 0,
      passages: choices?.grounded.retrieved?.sources.length ?? null,
      rate,
      status,
      warningCodes: choices?.warnings.map(({ code }) => code) ?? [],
      latencyMs: this.elapsedMs(),
      firstTokenMs: progress.firstTokenMs,
      unbilledMicros: String(unbilled),
      details: {
        ...choices?.details(),
        stages_ms: this.#stages,
        is_stream: plan.isStream,
        ...(plan.isStored && status < 400 && { is_stored: true }),
        ...(errorCode && { error_code: errorCode }),
      },
    };
    const settled = { ...hold, costMicros: cost };
    return store ? settleWith(settled, usage, store) : settle(settled, usage);
  }
}
