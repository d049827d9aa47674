import type OpenAI from "openai";
import { expectTypeOf, it } from "vitest";
import type * as z from "zod";
import type { UrlCitation } from "@/lib/answers/citations/schema";
import type { ListedModel, ModelList } from "@/lib/models/catalogue";
import type {
  Completion,
  CompletionChunk,
  ModelRequest,
  UpstreamChunk,
  UpstreamCompletion,
} from "@/lib/models/schema";
import type { ChatCompletion, ChatRequest } from "./schema";
import type { DeletedCompletion, StoredMessage } from "./stored-schema";

// The compiler checks these, so a drift between our schemas and the client's types breaks the build.

type Streamed = OpenAI.ChatCompletionChunk;
type Params = OpenAI.ChatCompletionCreateParams;

/** A type's named fields at every depth, without index signatures. */
type Named<T> = T extends readonly (infer Item)[]
  ? Named<Item>[]
  : T extends object
    ? { [Field in keyof T as string extends Field ? never : Field]: Named<T[Field]> }
    : T;

/** The fields that only our type has. */
type Own<Ours, Theirs> = Exclude<keyof Named<Ours>, keyof Theirs>;

/** Our types of the fields that OpenAI's type also has. */
type Shared<Ours, Theirs> = Pick<Named<Ours>, Extract<keyof Named<Ours>, keyof Theirs>>;

it("accepts every request of the stock client and adds only its own fields", () => {
  type Body = z.input<typeof ChatRequest>;
  expectTypeOf<Params>().toExtend<Shared<Body, Params>>();
  expectTypeOf<Own<Body, Params>>().toEqualTypeOf<"citations" | "ignore_unsupported">();
  expectTypeOf<Params>().toExtend<Shared<ModelRequest, Params>>();
  expectTypeOf<Own<ModelRequest, Params>>().toBeNever();
});

it("accepts every completion and chunk of an upstream", () => {
  expectTypeOf<OpenAI.ChatCompletion>().toExtend<Named<z.input<typeof UpstreamCompletion>>>();
  expectTypeOf<OpenAI.ChatCompletion>().toExtend<Named<Completion>>();
  expectTypeOf<Streamed>().toExtend<Named<z.input<typeof UpstreamChunk>>>();
  expectTypeOf<Streamed>().toExtend<Named<CompletionChunk>>();
});

it("returns OpenAI's completion and chunk, with additional fields", () => {
  type Choice = ChatCompletion["choices"][number];
  type Theirs = OpenAI.ChatCompletion.Choice;
  expectTypeOf<Own<ChatCompletion, OpenAI.ChatCompletion>>().toEqualTypeOf<
    "citations" | "retrieval" | "warnings"
  >();
  expectTypeOf<Own<ChatCompletion["usage"], OpenAI.CompletionUsage>>().toEqualTypeOf<
    "cost" | "cost_usd"
  >();
  expectTypeOf<Own<Choice, Theirs>>().toBeNever();
  expectTypeOf<Own<Choice["message"], Theirs["message"]>>().toEqualTypeOf<"verification">();
  expectTypeOf<UrlCitation>().toExtend<OpenAI.ChatCompletionMessage.Annotation>();
  expectTypeOf<ChatCompletion["usage"]>().toExtend<OpenAI.CompletionUsage>();
  expectTypeOf<Own<CompletionChunk, Streamed>>().toBeNever();
  expectTypeOf<Own<CompletionChunk["choices"][number], Streamed["choices"][number]>>().toBeNever();
});

it("lists models and stored completions in OpenAI's format", () => {
  expectTypeOf<ListedModel>().toExtend<OpenAI.Model>();
  expectTypeOf<ModelList["data"]>().toExtend<OpenAI.Model[]>();
  expectTypeOf<DeletedCompletion>().toExtend<OpenAI.ChatCompletionDeleted>();
  expectTypeOf<Own<StoredMessage, OpenAI.ChatCompletionStoreMessage>>().toEqualTypeOf<"name">();
});
