import * as z from "zod";
import { session } from "@/lib/auth/session-gate";
import { ChatRequest } from "@/lib/chat/schema";
import { chat } from "@/lib/chat/write/chat";
import { streamChat } from "@/lib/chat/write/stream-chat";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { sse } from "@/lib/http/sse";
import { PLAYGROUND_PRESETS } from "@/lib/keys/playground";
import { playgroundContext } from "@/lib/keys/write/playground";

/** The body of /v1/chat/completions, plus the user it is sent for. */
export const POST = route({
  gate: session(),
  body: ChatRequest.extend({ preset: z.enum(PLAYGROUND_PRESETS) }),
  handle: async ({ ctx, body: { preset, ...body } }) => {
    const key = await playgroundContext(ctx, preset);
    return body.stream ? sse(await streamChat(key, body)) : chat(key, body);
  },
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
