import { apiKey } from "@/lib/auth/api-key";
import { ChatCompletion, ChatRequest } from "@/lib/chat/schema";
import { chat } from "@/lib/chat/write/chat";
import { streamChat } from "@/lib/chat/write/stream-chat";
import { otherMethods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { sse } from "@/lib/http/sse";

export const POST = route({
  summary: "Create a chat completion, plain or streamed, with cited retrieval when asked for.",
  gate: apiKey("chat:completions"),
  body: ChatRequest,
  answer: ChatCompletion,
  handle: async ({ ctx, body }) =>
    body.stream ? sse(await streamChat(ctx, body)) : chat(ctx, body),
});

export const { GET, PUT, PATCH, DELETE } = otherMethods("POST");
