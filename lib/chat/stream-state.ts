import type { Citation } from "@/lib/citations/schema";
import { newId } from "@/lib/id";
import { generatedText } from "@/lib/models/generated-text";
import type { ChunkDelta, CompletionChunk, ModelUsage } from "@/lib/models/schema";
import { countTokens } from "@/lib/models/tokens";
import { annotationsOf } from "./annotations";

type Choice = CompletionChunk["choices"][number];
type Frame = Pick<CompletionChunk, "id" | "object" | "created" | "model">;

/**
 * Turns an upstream's chunks into ours: one opening chunk a choice with its role, citations on the very
 * first and on each finish chunk, annotations on the finish chunk, and no chunk without choices.
 */
export class StreamState {
  readonly id = newId("completion");
  readonly #texts = new Map<number, string>();
  /** All that is paid for, of all choices. */
  #generated = "";
  #created = Math.floor(Date.now() / 1000);
  usage: ModelUsage | null = null;

  constructor(
    readonly model: string,
    readonly citations: Citation[] | null,
  ) {}

  /** The chunks that go out for one that came in. */
  accept(chunk: CompletionChunk): CompletionChunk[] {
    this.usage = chunk.usage ?? this.usage;
    const { usage: _usage, choices, ...frame } = chunk;
    return choices.flatMap((choice) => [
      ...this.#opening(frame, choice.index),
      ...this.#rest(frame, choice),
    ]);
  }

  /** Whether anything generated has gone out. */
  get hasText(): boolean {
    return this.#generated !== "";
  }

  /** Tokens of all that was generated, for a stream whose upstream did not say. */
  countGenerated(): number {
    return countTokens(this.#generated);
  }

  /** The chunk that `stream_options.include_usage` asks for. */
  usageChunk(usage: ModelUsage): CompletionChunk {
    return { ...this.#frame({}), choices: [], usage };
  }

  #opening(frame: object, index: number): CompletionChunk[] {
    if (this.#texts.has(index)) {
      return [];
    }
    const isFirst = this.#texts.size === 0;
    this.#texts.set(index, "");
    return [
      {
        ...this.#frame(frame),
        choices: [
          { index, delta: { role: "assistant", content: "" }, finish_reason: null, logprobs: null },
        ],
        ...(isFirst && this.citations && { citations: this.citations }),
      },
    ];
  }

  #rest(frame: object, choice: Choice): CompletionChunk[] {
    const { role: _role, ...delta } = choice.delta ?? {};
    this.#keep(choice.index, delta);
    const isFinish = Boolean(choice.finish_reason);
    if (!isFinish && isEmpty(delta)) {
      return [];
    }
    const annotations =
      isFinish && this.citations
        ? { annotations: annotationsOf(this.#texts.get(choice.index) ?? "", this.citations) }
        : {};
    return [
      {
        ...this.#frame(frame),
        choices: [
          {
            ...choice,
            finish_reason: choice.finish_reason ?? null,
            delta: { ...delta, ...annotations },
          },
        ],
        ...(isFinish && this.citations && { citations: this.citations }),
      },
    ];
  }

  #keep(index: number, delta: ChunkDelta): void {
    this.#texts.set(index, (this.#texts.get(index) ?? "") + (delta.content ?? ""));
    this.#generated += generatedText(delta);
  }

  #frame(frame: object): Frame {
    return {
      ...frame,
      id: this.id,
      object: "chat.completion.chunk",
      created: this.#created,
      model: this.model,
    };
  }
}

function isEmpty(delta: ChunkDelta): boolean {
  return Object.values(delta).every(
    (value) => value === "" || value === null || value === undefined,
  );
}
