import { apiKey } from "@/lib/auth/api-key";
import { ChatRequest } from "@/lib/chat/schema";
import { chat } from "@/lib/chat/write/chat";
import { streamChat } from "@/lib/chat/write/stream-chat";
import { otherMethods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { sse } from "@/lib/http/sse";

export const POST = route({
  gate: apiKey("chat:completions"),
  body: ChatRequest,
  handle: async ({ ctx, body }) =>
    body.stream ? sse(await streamChat(ctx, body)) : chat(ctx, body),
});

export const { GET, PUT, PATCH, DELETE } = otherMethods("POST");
