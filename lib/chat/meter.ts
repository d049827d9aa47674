import { setTimeout as sleep } from "node:timers/promises";
import pRetry from "p-retry";
import { countTokensUsed } from "@/lib/auth/api-key";
import type { KeyContext } from "@/lib/auth/context";
import { type Micros, microsToUsd } from "@/lib/billing/money";
import { type Hold, holdWasPlaced, placeHold, renewRegularly } from "@/lib/billing/write/hold";
import { settle, settleWith, type Usage } from "@/lib/billing/write/settle";
import { isDatabaseUnavailable } from "@/lib/db/unavailable";
import { toAppError } from "@/lib/http/error-response";
import { abortReason, CLIENT_DISCONNECTED } from "@/lib/http/shutdown";
import { acquireStream } from "@/lib/limits/open-streams";
import { log } from "@/lib/log";
import type { Model } from "@/lib/models/catalogue";
import { countPrompt, toUsage } from "@/lib/models/message-tokens";
import type { Completion, ModelUsage } from "@/lib/models/schema";
import { searchLimiter } from "@/lib/retrieval/read/search";
import { processSingleton } from "@/lib/singleton";
import { ChoiceProcessor } from "./choice-processor";
import type { AskedModel } from "./dispatch";
import { ground } from "./ground";
import type { Plan } from "./plan";
import { type OwnCalls, type Progress, priceOf } from "./price";
import { ClaimJudge } from "./verifier";
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

/** How a request ended. */
interface CompletionOutcome {
  status: number;
  errorCode?: string;
  isCharged: boolean;
}

const NO_USAGE = toUsage(0, 0);
const NO_PROGRESS: Progress = { kind: "core", usage: NO_USAGE, firstTokenMs: null };
const ANSWERED: CompletionOutcome = { status: 200, isCharged: true };

/** How a request that got no whole answer ended; `thrown` is undefined when a stream was abandoned. */
function outcomeOf(
  thrown: unknown,
  signal: AbortSignal,
  { isAsked, isStreaming }: { isAsked: boolean; isStreaming: boolean },
): CompletionOutcome {
  const wasLeft = thrown === undefined || signal.aborted;
  const reason = abortReason(signal);
  const { status, code } = wasLeft ? (reason ?? CLIENT_DISCONNECTED) : toAppError(thrown);
  // A client that leaves pays for what the model was asked, and so does one whose stream a stopping server cut off: it
  // has what was generated. A failure costs nothing.
  return { status, errorCode: code, isCharged: wasLeft && isAsked && (isStreaming || !reason) };
}

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
  /** The model that has the request, which is billed at its own rates. */
  readonly asked: AskedModel = { model: null };
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
    const isEarly = plan.retrieval && !plan.rewrite && holdWasPlaced(ctx);
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
    this.#choices = new ChoiceProcessor(grounded, judge, plan.rewrite);
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
    return this.asked.model ?? this.plan.model;
  }

  /** The usage to bill; none if no model was asked. */
  async usage(
    count: (countPrompt: () => Promise<number>) => Promise<ModelUsage>,
  ): Promise<ModelUsage> {
    const { model } = this.asked;
    const request = this.#choices?.grounded.request;
    return model && request ? count(() => countPrompt(request, model)) : NO_USAGE;
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
    if (!plan.isStored) {
      return this.#close(ANSWERED, progress);
    }
    const input = {
      messages: plan.storedMessages,
      settings: plan.origin.stored?.settings() ?? null,
      metadata: plan.body.metadata ?? {},
      response: answer(),
      passages: this.#choices?.passages ?? [],
      knowledgeScopes: [
        ...plan.earlierScopes,
        ...(plan.retrieval?.collections.map(({ scope }) => scope) ?? []),
      ],
    };
    return this.#close(ANSWERED, progress, (tx) => storeCompletion(ctx, input, tx.query));
  }

  /**
   * Closes a request that was not answered, if it is still open. Never rejects. While the database is unavailable
   * it retries for minutes, of which the caller waits a moment; the sweep ends what is left.
   */
  async end(thrown: unknown, progress?: () => Promise<Progress>): Promise<void> {
    this.#releaseStream();
    const hold = this.#hold;
    if (!hold || this.#isClosed) {
      return;
    }
    const outcome = outcomeOf(thrown, this.ctx.signal, {
      isAsked: this.asked.model !== null || Boolean(this.plan.rewrite?.used.size),
      isStreaming: progress !== undefined,
    });
    const reached = progress
      ? await progress()
      : outcome.isCharged
        ? await this.#promptOnly()
        : NO_PROGRESS;
    const closing = pRetry(() => this.#close(outcome, reached), CLOSE_RETRIES).catch(
      (cause: unknown) => log.error({ err: cause, request_id: hold.id }, "hold not closed"),
    );
    await Promise.race([closing, sleep(CLOSE_WAIT_MS, null, { ref: false })]);
  }

  /** A request whose client left before any of the answer came. */
  async #promptOnly(): Promise<Progress> {
    const { isStream, retrieval } = this.plan;
    const isGrounded = isStream ? retrieval : this.#choices?.grounded.retrieved;
    return {
      kind: isGrounded ? "grounded" : "core",
      usage: await this.usage(async (count) => toUsage(await count(), 0)),
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
    const { prompt_tokens: prompt, completion_tokens: completion } = progress.usage;
    const own = Object.values(this.#ownCalls()).flatMap((byModel) => [
      ...(byModel?.values() ?? []),
    ]);
    const beside = own.reduce((sum, tokens) => sum + tokens.prompt + tokens.completion, 0);
    await countTokensUsed(this.ctx, prompt + completion + beside);
    return microsToUsd(charged);
  }

  #ownCalls(): OwnCalls {
    return {
      rewrite: this.plan.rewrite?.used,
      verification: this.#choices?.verified?.byModel,
    };
  }

  #settle(
    hold: Hold,
    {
      outcome: { status, errorCode, isCharged },
      progress,
      store,
    }: { outcome: CompletionOutcome; progress: Progress; store: Storing },
  ): Promise<Micros> {
    const { plan } = this;
    const choices = this.#choices;
    const { cost, rate } = priceOf(this.model.rates, progress, this.#ownCalls());
    const usage: Usage = {
      endpoint: plan.origin.endpoint,
      model: this.model.id,
      kind: progress.kind,
      promptTokens: progress.usage.prompt_tokens,
      completionTokens: progress.usage.completion_tokens,
      passages: choices?.grounded.retrieved?.sources.length ?? null,
      rate,
      status,
      warningCodes: choices?.warnings.map(({ code }) => code) ?? [],
      latencyMs: this.elapsedMs(),
      firstTokenMs: progress.firstTokenMs,
      details: {
        ...choices?.details(),
        stages_ms: this.#stages,
        is_stream: plan.isStream,
        ...(plan.isStored && status < 400 && { is_stored: true }),
        ...(errorCode && { error_code: errorCode }),
      },
    };
    const settled = { ...hold, costMicros: isCharged ? cost : 0n };
    return store ? settleWith(settled, usage, store) : settle(settled, usage);
  }
}
