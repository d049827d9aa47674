import { MarkerGuard } from "@/lib/citations/markers";
import type { Citation } from "@/lib/citations/schema";
import { newId } from "@/lib/id";
import { generatedText } from "@/lib/models/generated-text";
import type { ChunkDelta, CompletionChunk, ModelUsage } from "@/lib/models/schema";
import { countTokens } from "@/lib/models/tokens";
import { annotationsOf } from "./annotations";
import type { Grounded } from "./ground";

type Choice = CompletionChunk["choices"][number];

/** One choice so far. */
interface Answer {
  /** Puts markers into one form; null when there are no sources to name. */
  guard: MarkerGuard | null;
  /** What has gone out. */
  text: string;
  hasEnded: boolean;
}

type Frame = Pick<CompletionChunk, "id" | "object" | "created" | "model">;

/**
 * Turns an upstream's chunks into ours: one opening chunk a choice with its role, citations on the very
 * first and on each finish chunk, annotations on the finish chunk, and no chunk without choices. Citation
 * markers go out in one form; what may yet become one is held back.
 */
export class StreamState {
  readonly id = newId("completion");
  readonly citations: Citation[] | null;
  readonly #isProse: boolean;
  readonly #answers = new Map<number, Answer>();
  /** All that is paid for, of all choices. */
  #generated = "";
  #created = Math.floor(Date.now() / 1000);
  usage: ModelUsage | null = null;
  /** Whether the upstream said all it had to say. */
  hasEnded = false;

  constructor(
    readonly model: string,
    { citations, isProse }: Pick<Grounded, "citations" | "isProse">,
  ) {
    this.citations = citations;
    this.#isProse = isProse;
  }

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

  /** What is still held back when a stream ends without a finish. */
  end(): CompletionChunk[] {
    this.hasEnded = true;
    return [...this.#answers].flatMap(([index, answer]) => this.#held({}, { index, answer }));
  }

  #opening(frame: object, index: number): CompletionChunk[] {
    if (this.#answers.has(index)) {
      return [];
    }
    const isFirst = this.#answers.size === 0;
    const guard = this.citations && this.#isProse ? new MarkerGuard(this.citations.length) : null;
    this.#answers.set(index, { guard, text: "", hasEnded: false });
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
    const { index } = choice;
    const answer = this.#answers.get(index);
    if (!answer) {
      return [];
    }
    const { role: _role, ...delta } = this.#guarded(answer, choice.delta ?? {});
    const isFinish = Boolean(choice.finish_reason);
    if (!isFinish && !choice.logprobs && isEmpty(delta)) {
      return [];
    }
    const held = isFinish ? this.#held(frame, { index, answer }) : [];
    // What comes with a finish goes before what was held back behind it.
    const [last, rest] = held.length > 0 ? [delta, {}] : [null, delta];
    return [
      ...(last && !isEmpty(last) ? [this.#content(frame, index, last)] : []),
      ...held,
      {
        ...this.#frame(frame),
        choices: [
          {
            ...choice,
            finish_reason: choice.finish_reason ?? null,
            delta: { ...rest, ...(isFinish && this.#annotations(answer)) },
          },
        ],
        ...(isFinish && this.citations && { citations: this.citations }),
      },
    ];
  }

  #guarded(answer: Answer, delta: ChunkDelta): ChunkDelta {
    this.#generated += generatedText(delta);
    if (typeof delta.content !== "string") {
      return delta;
    }
    const content =
      answer.guard && !answer.hasEnded ? answer.guard.push(delta.content) : delta.content;
    answer.text += content;
    return { ...delta, content };
  }

  #held(frame: object, { index, answer }: { index: number; answer: Answer }): CompletionChunk[] {
    const content = answer.hasEnded ? "" : (answer.guard?.end() ?? "");
    answer.hasEnded = true;
    answer.text += content;
    return content ? [this.#content(frame, index, { content })] : [];
  }

  #annotations({ guard, text }: Answer): ChunkDelta {
    return guard && this.citations
      ? { annotations: annotationsOf(text, guard.markers, this.citations) }
      : {};
  }

  #content(frame: object, index: number, delta: ChunkDelta): CompletionChunk {
    return {
      ...this.#frame(frame),
      choices: [{ index, delta, finish_reason: null, logprobs: null }],
    };
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
