import * as z from "zod";
import type { ChunkDelta } from "@/lib/models/schema";
import type { EventBody } from "./events";
import { toCallItem, toMessageItem } from "./output";
import type { Annotation, CallItem, ItemStatus, MessageItem } from "./response-schema";

type PartKind = "output_text" | "refusal";

const CallPiece = z.object({
  index: z.number().int().min(0).default(0),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});
type CallPiece = z.output<typeof CallPiece>;

/** The message and the function calls of a stream, as far as they have come. */
export class StreamedOutput {
  /** The items in the order they began. */
  readonly #order: ("message" | number)[] = [];
  /** The parts of the message in the order they began. */
  readonly #parts: PartKind[] = [];
  readonly #said = { output_text: "", refusal: "" };
  readonly #calls = new Map<number, CallItem>();

  /** `first`: the place of the first item in the output. */
  constructor(
    private readonly suffix: string,
    private readonly first: number,
  ) {}

  get isEmpty(): boolean {
    return this.#order.length === 0;
  }

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

  /** A model that says nothing still has a message. */
  openMessage(): EventBody[] {
    return this.#openPart("output_text");
  }

  items(status: ItemStatus, annotations: Annotation[]): (MessageItem | CallItem)[] {
    return this.#order.map((key) => {
      const call = key === "message" ? undefined : this.#calls.get(key);
      return call ? { ...call, status } : this.#message(status, annotations);
    });
  }

  /** The ends of the items that `items` returns. */
  close(items: readonly (MessageItem | CallItem)[]): EventBody[] {
    return items.flatMap((item, index): EventBody[] => {
      const output_index = this.first + index;
      const inside = item.type === "message" ? this.#closeParts(item) : [this.#closeCall(item)];
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
    return kind === "output_text"
      ? [...opening, { type: "response.output_text.delta", ...place, delta, logprobs: [] }]
      : [...opening, { type: "response.refusal.delta", ...place, delta }];
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
    return this.first + this.#order.indexOf(key);
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

  #call({ index, id, function: called }: CallPiece): EventBody[] {
    const before = this.#calls.get(index);
    const { name, arguments: delta } = called ?? {};
    const call =
      before ??
      toCallItem(this.suffix, index, {
        id,
        name: name ?? "",
        arguments: "",
        status: "in_progress",
      });
    const output_index = before ? this.#placeInOutput(index) : this.#begin(index);
    this.#calls.set(index, { ...call, arguments: call.arguments + (delta ?? "") });
    const added = { type: "response.output_item.added", output_index, item: call } as const;
    const type = "response.function_call_arguments.delta";
    return [
      ...(before ? [] : [added]),
      ...(delta ? [{ type, item_id: call.id, output_index, delta } as const] : []),
    ];
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

  #closeCall({ id: item_id, name, arguments: args }: CallItem): EventBody {
    const at = [...this.#calls].find(([, call]) => call.id === item_id)?.[0] ?? 0;
    const output_index = this.#placeInOutput(at);
    const type = "response.function_call_arguments.done";
    return { type, item_id, output_index, name, arguments: args };
  }
}
