import { TokenCounter } from "@/lib/text/tokens";
import type { Model } from "./catalogue";
import {
  cachedTokensOf,
  cacheWriteTokensOf,
  countPrompt,
  countPromptTokens,
  generatedText,
  toUsage,
} from "./message-tokens";
import { type ModelRequest, type ModelUsage, ReportedUsage, textOf } from "./schema";

export interface TokenCount {
  prompt: number;
  completion: number;
  /** Those of the prompt that the upstream read from its cache. */
  cached: number;
  /** Those that it wrote to its cache. */
  written: number;
}

export const NO_TOKENS: TokenCount = { prompt: 0, completion: 0, cached: 0, written: 0 };

export function addTokens(one: TokenCount, other: TokenCount): TokenCount {
  return {
    prompt: one.prompt + other.prompt,
    completion: one.completion + other.completion,
    cached: one.cached + other.cached,
    written: one.written + other.written,
  };
}

/** The most tokens that a call can have, as its hold reserves them. */
export type TokenBound = Pick<TokenCount, "prompt" | "completion">;

/** How a call ended for the one who made it. `late`: after our own deadline; `left`: the caller did not wait for it. */
type Ending = "answered" | "rejected" | "failed" | "late" | "left";

/** A report of fewer tokens isn't believed: ordinary text has 3 to 5 characters a token in any vocabulary. */
const MOST_CHARACTERS_PER_TOKEN = 8;
const MOST_COUNTED_PER_TOKEN = 4;

/** A request that an upstream was sent, which it may bill from then on however the call ends. */
export class SentCall {
  #ending: Ending | null = null;
  #reported: ModelUsage | null = null;
  #hasEnded = false;
  #isWhole = false;
  #prompt = 0;
  #completion = 0;
  #reasons: boolean;
  readonly #generated = new TokenCounter();
  readonly #ended = Promise.withResolvers<void>();
  #abort = () => {};

  constructor(
    readonly model: Model,
    private readonly request: ModelRequest,
    private readonly most: TokenBound,
  ) {
    this.#reasons = model.reasons;
  }

  /** Usage as the upstream reports it, valid or not. */
  report(usage: unknown): void {
    this.#reported = ReportedUsage.parse(usage) ?? this.#reported;
  }

  /** A message, or a part of one. */
  write(message: Record<string, unknown>): void {
    this.#generated.add(generatedText(message));
    this.#reasons ||= Boolean(message.reasoning_content || message.reasoning);
  }

  /** Nobody waits for it any more. `abort` ends reading its usage. */
  leave(how: "late" | "left", abort: () => void): void {
    this.#ending ??= how;
    this.#abort = abort;
  }

  /** The upstream has ended it, or was given up. */
  end(how: "answered" | "rejected" | "failed"): void {
    if (this.#hasEnded) {
      return;
    }
    this.#hasEnded = true;
    this.#ending = how === "rejected" ? how : (this.#ending ?? how);
    this.#isWhole = how === "answered";
    this.#ended.resolve();
  }

  /** Ends it, if it is still read. */
  stop(): void {
    this.#abort();
    this.end("failed");
  }

  get isOpen(): boolean {
    return !this.#hasEnded;
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Whether the one who made it got the answer, or caused that it was not waited for. */
  get isPaid(): boolean {
    return this.#ending === null || this.#ending === "answered" || this.#ending === "left";
  }

  /** An upstream doesn't bill what it refused. */
  get isBilled(): boolean {
    return this.#ending !== "rejected";
  }

  /** Counts what isn't reported or can't be what was. To be awaited before usage is read. */
  async count(): Promise<void> {
    this.#completion = await this.#countCompletion();
    const { request, model } = this;
    const { model: id, messages } = request;
    const { prompt_tokens: reported = 0 } = this.#reported ?? {};
    if (reported === 0) {
      this.#prompt = await countPrompt(request, model);
      return;
    }
    const characters = messages.reduce((sum, { content }) => sum + textOf(content).length, 0);
    const isLong = characters > reported * MOST_CHARACTERS_PER_TOKEN;
    const counted = isLong ? await countPromptTokens({ model: id, messages }) : reported;
    this.#prompt = isFarBelow(reported, counted) ? counted : reported;
  }

  /** What was reported, where it is possible, or else counted. Zeros are no report: some gateways report them for whole answers. */
  get usage(): ModelUsage {
    const { prompt, completion } = this.most;
    return {
      ...this.#reported,
      ...toUsage(Math.min(this.#prompt, prompt), Math.min(this.#completion, completion)),
    };
  }

  /** No more of a prompt can come from a cache than was reported of it. */
  get tokens(): TokenCount {
    const used = tokensOf(this.usage);
    const { cached, written } = this.#reported ? tokensOf(this.#reported) : NO_TOKENS;
    return {
      ...used,
      cached: Math.min(used.cached, cached),
      written: Math.min(used.written, written),
    };
  }

  /** What was reported beyond the bound, or may have been generated unseen. */
  get excess(): TokenCount {
    if (!this.model.upstream) {
      return NO_TOKENS;
    }
    const { prompt, completion } = this.most;
    // Of a plain answer that didn't come, nothing was seen, and of a whole one no hidden reasoning.
    const isUnseen = this.#isWhole ? this.model.reasons : this.#reasons || this.#generated.isEmpty;
    const isUnknown = !this.#reported && isUnseen;
    const isDropped = this.#ending === "late" || this.#ending === "left";
    const generated = this.#completion;
    const { cached, written } = this.#reported ? tokensOf(this.#reported) : NO_TOKENS;
    return {
      prompt: Math.max(0, this.#prompt - prompt),
      cached: Math.max(0, cached - this.tokens.cached),
      written: Math.max(0, written - this.tokens.written),
      completion:
        isUnknown && isDropped
          ? Math.max(0, completion - generated)
          : Math.max(0, generated - completion),
    };
  }

  /** Usage that was reported before the end excludes later tokens. */
  async #countCompletion(): Promise<number> {
    const { completion_tokens: reported = 0 } = this.#reported ?? {};
    const generated = this.#generated;
    if (!this.#isWhole) {
      return Math.max(reported, await generated.count());
    }
    const isLong = generated.length > reported * MOST_CHARACTERS_PER_TOKEN;
    const counted = isLong ? await generated.count() : reported;
    return reported === 0 || isFarBelow(reported, counted) ? counted : reported;
  }
}

/** Whether a report can't be true of a text with so many tokens by our count. */
export function isFarBelow(reported: number, counted: number): boolean {
  return counted > reported * MOST_COUNTED_PER_TOKEN;
}

function tokensOf(usage: ModelUsage): TokenCount {
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  return { prompt, completion, cached: cachedTokensOf(usage), written: cacheWriteTokensOf(usage) };
}

export type TokensByModel = ReadonlyMap<Model, TokenCount>;

/** What the calls of a request used, by the model that bills it. */
export interface Bill {
  charged: TokensByModel;
  /** What the caller did not cause, and what was reported beyond the bound. */
  unbilled: TokensByModel;
  /** That count toward limits: whoever pays, without what can't be true. */
  tokens: number;
}

/** The calls that upstreams were sent for one purpose of a request, with retries and fallbacks. */
export class SentCalls {
  readonly #all: SentCall[] = [];

  begin(model: Model, request: ModelRequest, most: TokenBound): SentCall {
    const call = new SentCall(model, request, most);
    this.#all.push(call);
    return call;
  }

  /** The call that has the request or answered it; null before it was sent, and again when it failed. */
  get current(): SentCall | null {
    const last = this.#all.at(-1);
    return last?.isBilled && last.isPaid ? last : null;
  }

  /** The last that an upstream may bill. */
  get lastBilled(): SentCall | null {
    return this.#all.findLast(({ isBilled }) => isBilled) ?? null;
  }

  /** Whether one is still read. */
  get isOpen(): boolean {
    return this.#all.some(({ isOpen }) => isOpen);
  }

  /** Resolves when none is. */
  async ended(): Promise<void> {
    await Promise.all(this.#all.map((call) => call.ended));
  }

  /** Ends those that are still read, and counts what none reported. To be awaited before usage is read. */
  async close(): Promise<void> {
    for (const call of this.#all) {
      call.stop();
    }
    await this.count();
  }

  async count(): Promise<void> {
    await Promise.all(this.#all.map((call) => call.count()));
  }

  /** `isCharged`: whether the caller got what they are for, or left. */
  bill(isCharged = true): Bill {
    const charged = new Map<Model, TokenCount>();
    const unbilled = new Map<Model, TokenCount>();
    let tokens = 0;
    for (const call of this.#all.filter(({ isBilled }) => isBilled)) {
      const { model, tokens: used } = call;
      if (isCharged && call.isPaid) {
        addTo(charged, model, used);
      } else if (model.upstream) {
        addTo(unbilled, model, used);
      }
      addTo(unbilled, model, call.excess);
      tokens += used.prompt + used.completion;
    }
    return { charged, unbilled, tokens };
  }
}

function addTo(all: Map<Model, TokenCount>, model: Model, tokens: TokenCount): void {
  if (tokens.prompt + tokens.completion > 0) {
    all.set(model, addTokens(all.get(model) ?? NO_TOKENS, tokens));
  }
}

export function sumTokens(byModel: TokensByModel): TokenCount {
  return [...byModel.values()].reduce(addTokens, NO_TOKENS);
}
