import type { Completion, CompletionChunk, ModelUsage } from "@/lib/models/schema";

type Frame = Pick<CompletionChunk, "id" | "created" | "model">;
type Values = Record<string, unknown>;

interface Choice {
  finishReason: string;
  message: Values;
  logprobs: Values | null;
}

/** Combines the chunks of a stream into the completion a plain request would have got. */
export class Accumulator {
  #frame: Frame = { id: "", created: 0, model: "" };
  #citations: unknown;
  readonly #choices = new Map<number, Choice>();

  add(chunks: readonly CompletionChunk[]): void {
    for (const { id, created, model, citations, choices } of chunks) {
      this.#frame = { id, created, model };
      this.#citations = citations ?? this.#citations;
      for (const choice of choices) {
        this.#addChoice(choice);
      }
    }
  }

  completion(usage: ModelUsage): Completion {
    return {
      ...this.#frame,
      object: "chat.completion",
      choices: [...this.#choices]
        .toSorted(([one], [other]) => one - other)
        .map(([index, { finishReason, message, logprobs }]) => ({
          index,
          finish_reason: finishReason,
          message: { content: null, ...message, role: "assistant" },
          logprobs,
        })),
      usage,
      ...(this.#citations !== undefined && { citations: this.#citations }),
    };
  }

  #addChoice({ index, finish_reason, delta, logprobs }: CompletionChunk["choices"][number]): void {
    const choice = this.#choices.get(index) ?? {
      finishReason: "stop",
      message: {},
      logprobs: null,
    };
    const { annotations, verification, ...words } = delta;
    this.#choices.set(index, {
      finishReason: finish_reason ?? choice.finishReason,
      message: {
        ...merged(choice.message, words),
        // These come whole, not in pieces.
        ...(annotations !== undefined && { annotations }),
        ...(verification !== undefined && { verification }),
      },
      logprobs: isValues(logprobs) ? merged(choice.logprobs ?? {}, logprobs) : choice.logprobs,
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
