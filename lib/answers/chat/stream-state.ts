import { generatedText } from "@/lib/models/message-tokens";
import type { ChunkDelta, Completion, CompletionChunk, ModelUsage } from "@/lib/models/schema";
import type { ChoiceProcessor } from "./choice-processor";
import type { CitedAnswer } from "./cited-answer";

type Choice = CompletionChunk["choices"][number];

interface Answer {
  /** Null when the text passes through as the model writes it. */
  cited: CitedAnswer | null;
  hasEnded: boolean;
}

/** Turns an upstream's chunks into ours. Holds back what may become a marker, and finish chunks until all has ended. */
export class StreamState {
  readonly #answers = new Map<number, Answer>();
  readonly #finishes: CompletionChunk[] = [];
  readonly #accumulator: Accumulator | null;
  #created = Math.floor(Date.now() / 1000);
  #hasText = false;

  readonly #includesUsage: boolean;

  /** `isStored`: whether `completion` will be called. `includesUsage`: whether `usageChunk` will be. */
  constructor(
    public model: string,
    readonly choices: ChoiceProcessor,
    {
      isStored = false,
      includesUsage = false,
    }: { isStored?: boolean; includesUsage?: boolean } = {},
  ) {
    this.#accumulator = isStored ? new Accumulator() : null;
    this.#includesUsage = includesUsage;
  }

  /** The chunk with the role and the sources, which goes out before the model has written anything. */
  open(): CompletionChunk[] {
    const opening = this.#opening({}, 0);
    this.#accumulator?.add(opening);
    return opening;
  }

  /** The chunks to send for one of the upstream's. */
  async accept(chunk: CompletionChunk): Promise<CompletionChunk[]> {
    const { usage: _usage, choices, ...frame } = chunk;
    const outgoing: CompletionChunk[] = [];
    for (const choice of choices) {
      outgoing.push(...this.#opening(frame, choice.index), ...(await this.#rest(frame, choice)));
    }
    this.#accumulator?.add(outgoing);
    return outgoing;
  }

  /** Whether anything generated has gone out. */
  get hasText(): boolean {
    return this.#hasText;
  }

  /** The chunk that `stream_options.include_usage` asks for. */
  usageChunk(usage: ModelUsage): CompletionChunk {
    return { ...this.#frame({}), choices: [], usage };
  }

  /** The text still held back when the upstream ends. A choice without a finish gets one. */
  async end(): Promise<CompletionChunk[]> {
    const held: CompletionChunk[] = [];
    for (const [index, answer] of this.#answers) {
      if (!answer.hasEnded) {
        const finish = { index, delta: {}, finish_reason: "stop", logprobs: null };
        this.#finishes.push(this.#chunk({}, finish));
      }
      held.push(...(await this.#flush({}, { index, answer })));
    }
    this.#accumulator?.add(held);
    return held;
  }

  /** The finish chunks with citations and verification; call after `end`. */
  async finish(): Promise<CompletionChunk[]> {
    const { evidence, citations } = await this.choices.finish();
    const { leftOut } = this.choices;
    const chunks = this.#finishes.map((chunk) => ({
      ...chunk,
      choices: chunk.choices.map((choice) => ({
        ...choice,
        delta: { ...choice.delta, ...evidence.get(choice.index) },
      })),
      ...(citations && { citations }),
      ...(leftOut.length > 0 && { warnings: leftOut }),
    }));
    this.#accumulator?.add(chunks);
    return chunks;
  }

  /** The completion a plain request would have got; call after `finish`. */
  completion(usage: ModelUsage): Completion {
    const { choices = [], citations } = this.#accumulator ?? {};
    const { retrieval, warnings } = this.choices;
    return {
      ...this.#frame({}),
      object: "chat.completion",
      choices,
      usage,
      ...(citations !== undefined && { citations }),
      ...(retrieval && { retrieval }),
      ...(warnings.length > 0 && { warnings }),
    };
  }

  #opening(frame: object, index: number): CompletionChunk[] {
    if (this.#answers.has(index)) {
      return [];
    }
    const { foundFirst, retrieval } = this.choices;
    const isFirst = this.#answers.size === 0;
    this.#answers.set(index, { cited: this.choices.begin(index), hasEnded: false });
    return [
      {
        ...this.#content(frame, index, { role: "assistant", content: "" }),
        ...(isFirst && foundFirst && { citations: foundFirst }),
        ...(isFirst && retrieval && { retrieval }),
      },
    ];
  }

  async #rest(frame: object, choice: Choice): Promise<CompletionChunk[]> {
    const { index } = choice;
    const answer = this.#answers.get(index);
    if (!answer) {
      return [];
    }
    const { role: _role, ...delta } = await this.#normalized(answer, choice.delta ?? {});
    if (!choice.finish_reason) {
      const hasNothing = !choice.logprobs && isEmpty(delta);
      return hasNothing ? [] : [this.#chunk(frame, { ...choice, finish_reason: null, delta })];
    }
    const held = await this.#flush(frame, { index, answer, finish: choice.finish_reason });
    // Text that comes with the finish goes out before the text held back behind it.
    const [last, rest] = held.length > 0 ? [delta, {}] : [null, delta];
    this.#finishes.push(this.#chunk(frame, { ...choice, delta: rest }));
    return [...(last && !isEmpty(last) ? [this.#content(frame, index, last)] : []), ...held];
  }

  async #normalized(answer: Answer, delta: ChunkDelta): Promise<ChunkDelta> {
    this.#hasText ||= generatedText(delta) !== "";
    if (typeof delta.content !== "string" || !answer.cited || answer.hasEnded) {
      return delta;
    }
    return { ...delta, content: await answer.cited.push(delta.content) };
  }

  async #flush(
    frame: object,
    { index, answer, finish }: { index: number; answer: Answer; finish?: string },
  ): Promise<CompletionChunk[]> {
    const content = answer.hasEnded ? "" : ((await answer.cited?.end(finish)) ?? "");
    answer.hasEnded = true;
    return content ? [this.#content(frame, index, { content })] : [];
  }

  #content(frame: object, index: number, delta: ChunkDelta): CompletionChunk {
    return this.#chunk(frame, { index, delta, finish_reason: null, logprobs: null });
  }

  #chunk(frame: object, choice: Choice): CompletionChunk {
    return { ...this.#frame(frame), choices: [choice] };
  }

  #frame(frame: object) {
    return {
      ...frame,
      id: this.choices.id,
      object: "chat.completion.chunk" as const,
      created: this.#created,
      model: this.model,
      // As OpenAI does in every chunk but the last.
      ...(this.#includesUsage && { usage: null }),
    };
  }
}

function isEmpty(delta: ChunkDelta): boolean {
  return Object.values(delta).every(
    (value) => value === "" || value === null || value === undefined,
  );
}

type Values = Record<string, unknown>;

/** Combines the chunks of a stream into what a plain request would have got. */
class Accumulator {
  citations: unknown;
  readonly #choices = new Map<number, Completion["choices"][number]>();

  add(chunks: readonly CompletionChunk[]): void {
    for (const { citations, choices } of chunks) {
      this.citations = citations ?? this.citations;
      for (const choice of choices) {
        this.#addChoice(choice);
      }
    }
  }

  get choices() {
    return [...this.#choices.values()].toSorted((one, other) => one.index - other.index);
  }

  #addChoice({ index, finish_reason, delta, logprobs }: Choice): void {
    const before = this.#choices.get(index);
    const message = before?.message ?? { content: null, refusal: null, role: "assistant" };
    const { annotations, verification, role: _role, ...words } = delta;
    this.#choices.set(index, {
      index,
      finish_reason: finish_reason ?? before?.finish_reason ?? "stop",
      message: {
        ...message,
        ...merged(message, words),
        // These come whole, not in pieces.
        ...(annotations !== undefined && { annotations }),
        ...(verification !== undefined && { verification }),
      },
      logprobs: join("logprobs", before?.logprobs, isValues(logprobs) ? logprobs : null),
    });
  }
}

/** Joins texts, merges arrays of indexed parts part by part, and replaces everything else. */
function merged(into: Values, from: Values): Values {
  const next = { ...into };
  for (const [name, value] of Object.entries(from)) {
    next[name] = join(name, next[name], value);
  }
  return next;
}

function join(name: string, before: unknown, value: unknown): unknown {
  if (value === null || value === undefined) {
    return before ?? null;
  }
  if (typeof before === "string" && typeof value === "string") {
    return name === "type" || name === "id" || name === "role" ? value : before + value;
  }
  if (Array.isArray(before) && Array.isArray(value)) {
    return value.reduce<unknown[]>(joinPart, before);
  }
  return isValues(before) && isValues(value) ? merged(before, value) : value;
}

/** The pieces of a tool call carry its index; a piece without an index is a separate part. */
function joinPart(parts: readonly unknown[], piece: unknown): unknown[] {
  const at = isValues(piece) && typeof piece.index === "number" ? piece.index : null;
  const before = parts.findIndex((part) => at !== null && isValues(part) && part.index === at);
  return before < 0
    ? [...parts, piece]
    : parts.map((part, index) =>
        index === before && isValues(part) && isValues(piece) ? merged(part, piece) : part,
      );
}

function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
