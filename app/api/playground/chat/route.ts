import * as z from "zod";
import { session } from "@/lib/auth/session-gate";
import { ChatRequest } from "@/lib/chat/schema";
import { createCompletion } from "@/lib/chat/write/complete";
import { onlyPost } from "@/lib/http/only-method";
import { PLAYGROUND_PRESETS } from "@/lib/keys/playground";
import { playgroundContext } from "@/lib/keys/write/playground";

/** The body of /v1/chat/completions, plus the user it is sent for. */
export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: ChatRequest.extend({ preset: z.enum(PLAYGROUND_PRESETS) }),
  handle: async ({ ctx, body: { preset, ...body } }) =>
    createCompletion(await playgroundContext(ctx, preset), body),
});
