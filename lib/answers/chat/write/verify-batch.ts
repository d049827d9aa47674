import "server-only";

import { AsyncLocalStorage } from "node:async_hooks";
import { AppError } from "@/lib/errors";
import type { Model } from "@/lib/models/catalogue";
import { addTokens, NO_TOKENS, type TokenCount } from "@/lib/models/sent-call";
import { type Micros, microsToUsd } from "@/lib/money/billing/money";
import { countedCitations, verificationCost } from "@/lib/money/billing/rates";
import { type Hold, placeHold, renewRegularly } from "@/lib/money/billing/write/hold";
import { settle, type Usage } from "@/lib/money/billing/write/settle";
import { countTokensUsed } from "@/lib/platform/auth/api-key";
import type { KeyContext } from "@/lib/platform/auth/context";
import { Download } from "@/lib/platform/http/download";
import { errorBody, toAppError } from "@/lib/platform/http/error-response";
import { FIRST_ISSUE } from "@/lib/platform/http/plain-issues";
import { abortReason, CLIENT_DISCONNECTED } from "@/lib/platform/http/shutdown";
import { acquireStream } from "@/lib/platform/limits/open-streams";
import { log } from "@/lib/platform/log";
import { ClaimJudge } from "../claim-judge";
import { type Verifier, verifierFor } from "../verifier";
import { type VerifyBatchLine, VerifyLine, type VerifyRequest } from "../verify-schema";
import {
  boundModel,
  checkText,
  costOf,
  countCitations,
  rateOf,
  readSources,
  type Source,
  toResult,
} from "./verify";

/** A line that can be verified. */
interface Item {
  customId: string | null;
  input: VerifyRequest;
  sources: Source[];
  verifier: Verifier | null;
  citations: number;
  /** Those billed, the free ones included. */
  counted: number;
}

/** A line, or what is wrong with it. */
type Line = Item | { customId: string | null; error: AppError };

/** What a batch has done so far. */
class Progress {
  readonly startedAt = performance.now();
  readonly #charged = new Map<Model, TokenCount>();
  #unbilledMicros: Micros = 0n;
  tokens = 0;
  citations = 0;
  #counted = 0;
  failed = 0;
  warningCodes = new Set<string>();
  costMicros: Micros = 0n;

  /** Adds a line, or what a model used of one that wasn't finished. The first citations of the batch are free. */
  async add(judge: ClaimJudge, { citations, counted }: Item): Promise<Micros> {
    const rules = verificationCost(this.#counted + counted) - verificationCost(this.#counted);
    await judge.calls.close();
    const { charged, unbilled, tokens } = judge.calls.bill();
    const cost = rules + costOf(charged);
    this.citations += citations;
    this.#counted += counted;
    this.costMicros += cost;
    this.#unbilledMicros += costOf(unbilled);
    this.tokens += tokens;
    for (const [model, used] of charged) {
      this.#charged.set(model, addTokens(this.#charged.get(model) ?? NO_TOKENS, used));
    }
    for (const { code } of judge.warnings) {
      this.warningCodes.add(code);
    }
    return cost;
  }

  usage(status: number, code?: string): Usage {
    return {
      endpoint: "/v1/citations/verify/batch",
      model: [...this.#charged.keys()][0]?.id ?? null,
      kind: "verification",
      promptTokens: 0,
      completionTokens: 0,
      passages: null,
      rate: rateOf({ charged: this.#charged }, this.#counted),
      unbilledMicros: String(this.#unbilledMicros),
      status,
      warningCodes: [...this.warningCodes],
      latencyMs: Math.round(performance.now() - this.startedAt),
      firstTokenMs: null,
      ...(code && { details: { error_code: code } }),
    };
  }
}

/**
 * Verifies up to 1,000 texts, one after the other, and answers line by line. A line that fails has an error of its own and
 * is free; a client that leaves pays for the lines it got. Throws rate_limit_exceeded with too many streams, or as `placeHold` does.
 */
export async function verifyBatch(ctx: KeyContext, lines: readonly string[]): Promise<Download> {
  const release = await acquireStream(ctx.account.id);
  try {
    const items: Line[] = [];
    for (const line of lines) {
      items.push(await toItem(ctx, line));
      await nextTurn();
      ctx.signal.throwIfAborted();
    }
    const hold = await placeHold(ctx, boundBatch(items));
    const stop = renewRegularly(hold.id);
    const answers = answerLines(ctx, items, hold);
    // A generator that never started runs no `finally`; its first value is no line.
    await answers.next();
    const end = AsyncLocalStorage.bind(() => {
      answers
        .return(undefined)
        .catch((cause: unknown) => log.error({ err: cause }, "batch not ended"))
        .finally(() => {
          stop();
          release();
        });
    });
    if (ctx.signal.aborted) {
      end();
    }
    ctx.signal.addEventListener("abort", end, { once: true });
    return new Download(toText(answers, end), { mediaType: "application/jsonl" });
  } catch (thrown) {
    release();
    throw thrown;
  }
}

function nextTurn(): Promise<void> {
  return new Promise(setImmediate);
}

async function toItem(ctx: KeyContext, line: string): Promise<Line> {
  let customId: string | null = null;
  try {
    const value = parseLine(line);
    customId = idOf(value);
    const { custom_id: _, ...input } = VerifyLine.parse(value, FIRST_ISSUE);
    const verifier = verifierFor(input.verify, "verify");
    const sources = await readSources(ctx, input.sources);
    const citations = await countCitations(input.text, sources);
    const counted = countedCitations(input.text, citations);
    return { customId, input, sources, verifier, citations, counted };
  } catch (thrown) {
    return { customId, error: toAppError(thrown) };
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new AppError(
      "invalid_request",
      "The line is not valid JSON. Write each request on a line of its own.",
      { cause },
    );
  }
}

function idOf(value: unknown): string | null {
  const id = typeof value === "object" && value !== null && Reflect.get(value, "custom_id");
  return typeof id === "string" ? id.slice(0, 200).toWellFormed() : null;
}

function boundBatch(items: readonly Line[]): Micros {
  const valid = items.flatMap((item) => ("error" in item ? [] : [item]));
  const counted = valid.reduce((sum, item) => sum + item.counted, 0);
  return valid.reduce((sum, item) => sum + boundModel(item), verificationCost(counted));
}

async function* answerLines(
  ctx: KeyContext,
  items: readonly Line[],
  hold: Hold,
): AsyncGenerator<VerifyBatchLine | undefined> {
  const progress = new Progress();
  let isDone = false;
  try {
    yield;
    for (const [index, item] of items.entries()) {
      ctx.signal.throwIfAborted();
      yield { index, custom_id: item.customId, ...(await answerLine(ctx, item, progress)) };
      await nextTurn();
    }
    isDone = true;
    const charged = await settle({ ...hold, costMicros: progress.costMicros }, progress.usage(200));
    const usage = { citations: progress.citations, cost_usd: microsToUsd(charged) };
    const { failed } = progress;
    yield { object: "citations.verification.batch", lines: items.length, failed, usage };
  } finally {
    if (!isDone) {
      await settleLeft(ctx, hold, progress);
    }
    await countTokensUsed(ctx, progress.tokens);
  }
}

type Answer =
  | { result: Extract<VerifyBatchLine, { result: unknown }>["result"] }
  | { error: ReturnType<typeof errorBody>["error"] };

async function answerLine(ctx: KeyContext, item: Line, progress: Progress): Promise<Answer> {
  if ("error" in item) {
    progress.failed += 1;
    return errorBody(item.error);
  }
  const { input, sources, verifier, citations } = item;
  const judge = new ClaimJudge(sources, { ...input, verifier }, ctx.signal);
  try {
    const { text, verified } = await checkText(input, sources, judge);
    const costUsd = microsToUsd(await progress.add(judge, item));
    return { result: toResult({ text, verified, sources, judge, citations, costUsd }) };
  } catch (thrown) {
    progress.failed += 1;
    return errorBody(toAppError(thrown));
  }
}

/** A stopping server has cut the batch off, or its client has left: it has the lines it pays for. */
async function settleLeft({ signal }: KeyContext, hold: Hold, progress: Progress): Promise<void> {
  const { status, code } = abortReason(signal) ?? CLIENT_DISCONNECTED;
  const { costMicros } = progress;
  await settle({ ...hold, costMicros }, progress.usage(status, code)).catch((cause: unknown) =>
    log.error({ err: cause, request_id: hold.id }, "could not release the hold of a batch"),
  );
}

async function* toText(
  answers: AsyncIterable<VerifyBatchLine | undefined>,
  end: () => void,
): AsyncGenerator<string> {
  try {
    for await (const answer of answers) {
      yield `${JSON.stringify(answer)}\n`;
    }
  } finally {
    end();
  }
}
