import * as z from "zod";
import type { ChunkDelta } from "@/lib/models/schema";
import type { EventBody } from "./events";
import { type ModelCall, toCallItem, toMessageItem } from "./output";
import type { Annotation, CallItem, ItemStatus, MessageItem } from "./response-schema";
import type { Tool } from "./tool-schema";

type PartKind = "output_text" | "refusal";

const CallPiece = z.object({
  index: z.int().min(0).default(0),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
  extra_content: z.unknown().optional(),
});
type CallPiece = z.output<typeof CallPiece>;

/** The message and the function calls of a stream, as far as they have come. */
export class StreamedOutput {
  /** The items in the order they began. */
  readonly #order: ("message" | number)[] = [];
  /** The parts of the message in the order they began. */
  readonly #parts: PartKind[] = [];
  readonly #said = { output_text: "", refusal: "" };
  readonly #calls = new Map<number, ModelCall>();

  /** `first`: the place of the first item in the output. `tools`: as they were declared. */
  constructor(
    private readonly suffix: string,
    private readonly frame: { first: number; tools: readonly Tool[] },
  ) {}

  accept(delta: ChunkDelta): EventBody[] {
    const { content, refusal, tool_calls: pieces } = delta;
    return [
      ...this.#speak("output_text", content),
      ...this.#speak("refusal", refusal),
      ...(Array.isArray(pieces) ? pieces : []).flatMap((piece: unknown) => {
        const { data } = CallPiece.safeParse(piece);
        return data ? this.#call(data) : [];
      }),
    ];
  }

  /** What was held back. A model that says nothing still has a message. */
  release(): EventBody[] {
    return this.#calls.size > 0 ? this.#openCalls() : this.#openPart("output_text");
  }

  items(status: ItemStatus, annotations: Annotation[]): (MessageItem | CallItem)[] {
    return this.#order.map((key) =>
      key === "message" ? this.#message(status, annotations) : this.#callItem(key, status),
    );
  }

  /** The ends of the items that `items` returns. */
  close(items: readonly (MessageItem | CallItem)[]): EventBody[] {
    return items.flatMap((item, index): EventBody[] => {
      const output_index = this.frame.first + index;
      const inside =
        item.type === "message" ? this.#closeParts(item) : closeCall(item, output_index);
      return [...inside, { type: "response.output_item.done", output_index, item }];
    });
  }

  #speak(kind: PartKind, delta: unknown): EventBody[] {
    if (typeof delta !== "string" || delta === "") {
      return [];
    }
    const opening = this.#openPart(kind);
    const place = this.#placeOf(kind);
    this.#said[kind] += delta;
    return [
      ...opening,
      ...this.#openCalls(),
      kind === "output_text"
        ? { type: "response.output_text.delta", ...place, delta, logprobs: [] }
        : { type: "response.refusal.delta", ...place, delta },
    ];
  }

  #openPart(kind: PartKind): EventBody[] {
    if (this.#parts.includes(kind)) {
      return [];
    }
    const events: EventBody[] = [];
    if (this.#parts.length === 0) {
      const item = { ...this.#message("in_progress", []), content: [] };
      const output_index = this.#begin("message");
      events.push({ type: "response.output_item.added", output_index, item });
    }
    this.#parts.push(kind);
    const [part] = toMessageItem(this.suffix, {
      text: "",
      refusal: "",
      annotations: [],
      status: "in_progress",
    }).content;
    const empty = kind === "refusal" || !part ? { type: "refusal" as const, refusal: "" } : part;
    events.push({ type: "response.content_part.added", ...this.#placeOf(kind), part: empty });
    return events;
  }

  #begin(key: "message" | number): number {
    this.#order.push(key);
    return this.#placeInOutput(key);
  }

  #placeInOutput(key: "message" | number): number {
    return this.frame.first + this.#order.indexOf(key);
  }

  #placeOf(kind: PartKind) {
    return {
      item_id: `msg_${this.suffix}`,
      output_index: this.#placeInOutput("message"),
      content_index: this.#parts.indexOf(kind),
    };
  }

  #message(status: ItemStatus, annotations: Annotation[]): MessageItem {
    const { output_text: text, refusal } = this.#said;
    const item = toMessageItem(this.suffix, { text, refusal, annotations, status });
    const at = (kind: PartKind) => this.#parts.indexOf(kind);
    return {
      ...item,
      content: item.content.toSorted((one, other) => at(one.type) - at(other.type)),
    };
  }

  /** Calls before any text wait for it: the message comes first, as in a plain response, which has no other order. */
  #call({ index, id, function: called, extra_content }: CallPiece): EventBody[] {
    const before = this.#calls.get(index);
    const { name, arguments: delta } = called ?? {};
    const call = before ?? { id, name: name ?? "", arguments: "" };
    this.#calls.set(index, {
      ...call,
      arguments: call.arguments + (delta ?? ""),
      ...(extra_content !== undefined && { extra_content }),
    });
    if (this.#parts.length === 0) {
      return [];
    }
    return before && this.#order.includes(index)
      ? this.#argumentsDelta(index, delta ?? "")
      : this.#openCall(index);
  }

  #openCalls(): EventBody[] {
    const waiting = [...this.#calls.keys()].filter((index) => !this.#order.includes(index));
    return waiting.flatMap((index) => this.#openCall(index));
  }

  #openCall(index: number): EventBody[] {
    const output_index = this.#begin(index);
    const item = this.#callItem(index, "in_progress", "");
    return [
      { type: "response.output_item.added", output_index, item },
      ...this.#argumentsDelta(index, this.#calls.get(index)?.arguments ?? ""),
    ];
  }

  /** The input of a custom tool is known only when its arguments are whole. */
  #argumentsDelta(index: number, delta: string): EventBody[] {
    const { id: item_id, type } = this.#callItem(index, "in_progress");
    return delta && type === "function_call"
      ? [
          {
            type: "response.function_call_arguments.delta",
            item_id,
            output_index: this.#placeInOutput(index),
            delta,
          },
        ]
      : [];
  }

  #callItem(index: number, status: ItemStatus, args?: string): CallItem {
    const call = this.#calls.get(index) ?? { name: "", arguments: "" };
    const { tools } = this.frame;
    return toCallItem(
      `${this.suffix}_${index}`,
      { ...call, arguments: args ?? call.arguments },
      { status, tools },
    );
  }

  #closeParts({ content }: MessageItem): EventBody[] {
    return content.flatMap((part): EventBody[] => {
      const place = this.#placeOf(part.type);
      const done = { type: "response.content_part.done", ...place, part } as const;
      if (part.type === "refusal") {
        return [{ type: "response.refusal.done", ...place, refusal: part.refusal }, done];
      }
      const type = "response.output_text.annotation.added";
      return [
        ...part.annotations.map(
          (annotation, annotation_index) =>
            ({ type, ...place, annotation_index, annotation }) as const,
        ),
        { type: "response.output_text.done", ...place, text: part.text, logprobs: [] },
        done,
      ];
    });
  }
}

function closeCall(item: CallItem, output_index: number): EventBody[] {
  const place = { item_id: item.id, output_index };
  if (item.type === "custom_tool_call") {
    const { input } = item;
    return [
      { type: "response.custom_tool_call_input.delta", ...place, delta: input },
      { type: "response.custom_tool_call_input.done", ...place, input },
    ];
  }
  const { name, arguments: args } = item;
  return [{ type: "response.function_call_arguments.done", ...place, name, arguments: args }];
}
