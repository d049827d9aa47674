import type * as z from "zod";
import type { ChunkDelta, CompletionChunk, UpstreamChunk } from "../schema";
import {
  argumentsName,
  createCallIds,
  finishReasonOf,
  idFrom,
  isFields,
  isPlainDelta,
  kindOf,
  listOf,
  specificReason,
  toArguments,
  withFunctionCall,
  withPlainContent,
} from "./openai-answer";

type Fields = Record<string, unknown>;
type Choice = CompletionChunk["choices"][number];
type UpstreamChoice = NonNullable<z.output<typeof UpstreamChunk>["choices"]>[number];

/** A call as far as it has come. */
interface Call {
  kind: "function" | "custom";
  /** Null when the upstream gave none. */
  givenId: string | null;
  /** The number that the upstream gave it, which others may have, too. */
  givenIndex: number | null;
  name: string;
  written: string;
  /** What came before its name, which goes out with it. */
  waiting: Fields | null;
}

interface OpenChoice {
  calls: Call[];
  hasFunctionCall: boolean;
  /** The finish chunks, as one that goes out when the stream has ended. */
  finish: Fields | null;
}

/**
 * One stream's chunks as OpenAI would send them: text as text, each call under an index and an id of its own, and one finish
 * chunk for each choice, at the end.
 */
export class OpenAiChunks {
  readonly #choices = new Map<number, OpenChoice>();
  #frame: Omit<CompletionChunk, "choices" | "usage"> | null = null;
  #idOf: ((choice: number, call: number) => string) | null = null;

  get isEmpty(): boolean {
    return this.#choices.size === 0;
  }

  /** Whether a choice hasn't finished. */
  get isAnyOpen(): boolean {
    return [...this.#choices.values()].some(({ finish }) => finish === null);
  }

  accept(chunk: z.output<typeof UpstreamChunk>): CompletionChunk {
    const given = chunk.choices ?? [];
    const choices: Choice[] = [];
    for (let position = 0; position < given.length; position += 1) {
      const choice = given[position];
      if (choice) {
        choices.push(...this.#accept(choice, position, chunk));
      }
    }
    const accepted = { ...chunk, choices } as CompletionChunk;
    this.#frame = accepted;
    return accepted;
  }

  /** The finish chunks, of choices that didn't finish as well. */
  end(): CompletionChunk[] {
    const { choices: _choices, usage: _usage, ...frame } = (this.#frame ?? {}) as CompletionChunk;
    const chunkOf = (choice: Choice) => ({ ...frame, choices: [choice] }) as CompletionChunk;
    return [...this.#choices].flatMap(([index, { calls, hasFunctionCall, finish }]) => {
      const empty = calls.flatMap(({ kind, written, waiting }, at) =>
        kind === "function" && written === "" && !waiting
          ? [{ index: at, function: { arguments: "{}" } }]
          : [],
      );
      const hasCalls = calls.some(({ waiting }) => !waiting);
      const finish_reason = finishReasonOf(finish?.finish_reason, { hasCalls, hasFunctionCall });
      return [
        ...(empty.length > 0
          ? [chunkOf({ index, delta: { tool_calls: empty }, finish_reason: null })]
          : []),
        chunkOf({ ...finish, index, delta: {}, finish_reason }),
      ];
    });
  }

  #accept({ delta, ...given }: UpstreamChoice, position: number, { id }: Fields): Choice[] {
    const { finish_reason: reason, index = position, ...rest } = given;
    const open = this.#choices.get(index) ?? { calls: [], hasFunctionCall: false, finish: null };
    this.#choices.set(index, open);
    const said = (delta ?? {}) as ChunkDelta;
    if (!reason && isPlainDelta(said)) {
      return [{ ...rest, index, finish_reason: null, delta: said }];
    }
    const { tool_calls, ...words } = withFunctionCall(withPlainContent(said));
    open.hasFunctionCall ||= isFields(words.function_call);
    this.#idOf ??= createCallIds(id);
    const idOf = this.#idOf;
    const pieces = listOf(tool_calls)
      .filter(isFields)
      .flatMap((piece) => takePiece(open.calls, piece, (call) => idOf(index, call)));
    const { logprobs, ...others } = rest;
    if (reason) {
      const before = open.finish?.finish_reason;
      const isKept = specificReason(before) !== null || (before && !specificReason(reason));
      open.finish = { ...open.finish, ...others, finish_reason: isKept ? before : reason };
    }
    const read: ChunkDelta = { ...words, ...(pieces.length > 0 && { tool_calls: pieces }) };
    const isEmpty = !logprobs && Object.values(read).every((value) => !value);
    return isEmpty ? [] : [{ ...rest, index, finish_reason: null, delta: read }];
  }
}

/** What goes out for a piece of a call: its start has an id, a type and a name, and what follows has arguments alone. */
function takePiece(calls: Call[], piece: Fields, idOf: (call: number) => string): Fields[] {
  const { index: _index, id: _id, type: _type, function: _f, custom: _custom, ...rest } = piece;
  const kind = kindOf(piece);
  const { name, ...called } = isFields(piece[kind]) ? piece[kind] : {};
  const field = argumentsName(kind);
  const words = toArguments(called[field]);
  const at = placeOf(calls, piece, typeof name === "string" ? name : "");
  const call = calls[at] ?? {
    kind,
    givenId: idFrom(piece),
    givenIndex: typeof piece.index === "number" ? piece.index : null,
    name: "",
    written: "",
    waiting: {},
  };
  calls[at] = call;
  call.written += words;
  if (!call.waiting) {
    const isEmpty = words === "" && Object.keys(rest).length === 0;
    return isEmpty ? [] : [{ ...rest, index: at, [call.kind]: { [field]: words } }];
  }
  call.name ||= typeof name === "string" ? name : "";
  call.givenId ??= idFrom(piece);
  call.waiting = { ...call.waiting, ...rest };
  if (call.name === "") {
    return [];
  }
  const begun = {
    ...call.waiting,
    index: at,
    id: call.givenId ?? idOf(at),
    type: call.kind,
    [call.kind]: { name: call.name, [field]: call.written },
  };
  call.waiting = null;
  return [begun];
}

/** The place of the call that a piece belongs to, or of a new one: some upstreams number no call, or all alike. */
function placeOf(calls: readonly Call[], piece: Fields, name: string): number {
  const id = idFrom(piece);
  const index = typeof piece.index === "number" ? piece.index : null;
  const named = id === null ? -1 : calls.findLastIndex(({ givenId }) => givenId === id);
  if (named >= 0) {
    return named;
  }
  const place =
    index === null
      ? calls.length - 1
      : calls.findLastIndex(({ givenIndex }) => givenIndex === index);
  const before = calls[place];
  const isOther =
    !before ||
    (id !== null && before.givenId !== null) ||
    (name !== "" && !before.waiting && (name !== before.name || isWhole(before.written)));
  return isOther ? calls.length : place;
}

/** Whether arguments are complete: what comes with a name again is another call. */
function isWhole(written: string): boolean {
  if (!written.trimEnd().endsWith("}")) {
    return false;
  }
  try {
    JSON.parse(written);
    return true;
  } catch {
    return false;
  }
}
