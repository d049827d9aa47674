import { generatedText } from "@/lib/chat/generated-text";
import type { ChunkDelta, Completion, CompletionChunk, ModelUsage } from "@/lib/models/schema";
import { countTokens } from "@/lib/text/tokens";
import { Accumulator } from "./accumulator";
import type { ChoiceProcessor } from "./choice-processor";
import type { CitedAnswer } from "./cited-answer";

type Choice = CompletionChunk["choices"][number];

/** One choice so far. */
interface Answer {
  /** Null when it passes as the model writes it. */
  cited: CitedAnswer | null;
  hasEnded: boolean;
}

type Frame = Pick<CompletionChunk, "id" | "object" | "created" | "model">;

/**
 * Turns an upstream's chunks into ours: one opening chunk a choice with its role, citations on the very
 * first and on each finish chunk, annotations and verification on the finish chunk, and no chunk without
 * choices. Citation markers go out in one form; what may yet become one is held back. Finish chunks are
 * kept until all has ended: what they say is known only then.
 */
export class StreamState {
  readonly #answers = new Map<number, Answer>();
  readonly #finishes: CompletionChunk[] = [];
  readonly #kept: Accumulator | null;
  /** All that is paid for, of all choices. */
  #generated = "";
  #created = Math.floor(Date.now() / 1000);
  usage: ModelUsage | null = null;
  /** Whether the upstream said all it had to say. */
  hasEnded = false;

  /** `keeps`: whether the whole completion will be asked for. */
  constructor(
    readonly model: string,
    readonly answering: ChoiceProcessor,
    { keeps = false }: { keeps?: boolean } = {},
  ) {
    this.#kept = keeps ? new Accumulator() : null;
  }

  /** The chunks that go out for one that came in. */
  async accept(chunk: CompletionChunk): Promise<CompletionChunk[]> {
    this.usage = chunk.usage ?? this.usage;
    const { usage: _usage, choices, ...frame } = chunk;
    const outgoing: CompletionChunk[] = [];
    for (const choice of choices) {
      outgoing.push(...this.#opening(frame, choice.index), ...(await this.#rest(frame, choice)));
    }
    this.#kept?.note(outgoing);
    return outgoing;
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

  /** What is still held back when a stream ends without a finish, which it gets. */
  async end(): Promise<CompletionChunk[]> {
    this.hasEnded = true;
    const held: CompletionChunk[] = [];
    for (const [index, answer] of this.#answers) {
      if (!answer.hasEnded) {
        const finish = { index, delta: {}, finish_reason: "stop", logprobs: null };
        this.#finishes.push(this.#chunk({}, finish));
      }
      held.push(...(await this.#held({}, { index, answer })));
    }
    this.#kept?.note(held);
    return held;
  }

  /** The finish chunks, with what is said of the answers; after `end`. */
  async finish(): Promise<CompletionChunk[]> {
    const { evidence, citations } = await this.answering.finish();
    const chunks = this.#finishes.map((chunk) => ({
      ...chunk,
      choices: chunk.choices.map((choice) => ({
        ...choice,
        delta: { ...choice.delta, ...evidence.get(choice.index) },
      })),
      ...(citations && { citations }),
    }));
    this.#kept?.note(chunks);
    return chunks;
  }

  /** What went out, as a plain request would have got it; after `finish`. */
  completion(usage: ModelUsage): Completion {
    if (!this.#kept) {
      throw new Error("a stream that keeps nothing was asked for its completion");
    }
    return this.#kept.completion(usage);
  }

  #opening(frame: object, index: number): CompletionChunk[] {
    if (this.#answers.has(index)) {
      return [];
    }
    const { found } = this.answering;
    const isFirst = this.#answers.size === 0;
    this.#answers.set(index, { cited: this.answering.begin(index), hasEnded: false });
    return [
      {
        ...this.#frame(frame),
        choices: [
          { index, delta: { role: "assistant", content: "" }, finish_reason: null, logprobs: null },
        ],
        ...(isFirst && found && { citations: found }),
      },
    ];
  }

  async #rest(frame: object, choice: Choice): Promise<CompletionChunk[]> {
    const { index } = choice;
    const answer = this.#answers.get(index);
    if (!answer) {
      return [];
    }
    const { role: _role, ...delta } = await this.#guarded(answer, choice.delta ?? {});
    const isFinish = Boolean(choice.finish_reason);
    if (!isFinish && !choice.logprobs && isEmpty(delta)) {
      return [];
    }
    if (!isFinish) {
      return [this.#chunk(frame, { ...choice, finish_reason: null, delta })];
    }
    const held = await this.#held(frame, { index, answer });
    // What comes with a finish goes before what was held back behind it.
    const [last, rest] = held.length > 0 ? [delta, {}] : [null, delta];
    this.#finishes.push(this.#chunk(frame, { ...choice, delta: rest }));
    return [...(last && !isEmpty(last) ? [this.#content(frame, index, last)] : []), ...held];
  }

  async #guarded(answer: Answer, delta: ChunkDelta): Promise<ChunkDelta> {
    this.#generated += generatedText(delta);
    if (typeof delta.content !== "string" || !answer.cited || answer.hasEnded) {
      return delta;
    }
    return { ...delta, content: await answer.cited.push(delta.content) };
  }

  async #held(
    frame: object,
    { index, answer }: { index: number; answer: Answer },
  ): Promise<CompletionChunk[]> {
    const content = answer.hasEnded ? "" : ((await answer.cited?.end()) ?? "");
    answer.hasEnded = true;
    return content ? [this.#content(frame, index, { content })] : [];
  }

  #content(frame: object, index: number, delta: ChunkDelta): CompletionChunk {
    return this.#chunk(frame, { index, delta, finish_reason: null, logprobs: null });
  }

  #chunk(frame: object, choice: Choice): CompletionChunk {
    return { ...this.#frame(frame), choices: [choice] };
  }

  #frame(frame: object): Frame {
    return {
      ...frame,
      id: this.answering.id,
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
