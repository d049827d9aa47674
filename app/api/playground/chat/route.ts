import * as z from "zod";
import { ChatRequest } from "@/lib/answers/chat/schema";
import { createCompletion } from "@/lib/answers/chat/write/complete";
import { PLAYGROUND_PRESETS } from "@/lib/money/keys/playground";
import { playgroundContext } from "@/lib/money/keys/write/playground";
import { memberPost } from "@/lib/platform/auth/member-route";

/** The body of /v1/chat/completions, plus the user it is sent for. */
export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  body: ChatRequest.extend({ preset: z.enum(PLAYGROUND_PRESETS) }),
  handle: async ({ ctx, body: { preset, ...body } }) =>
    createCompletion(await playgroundContext(ctx, preset), body),
});
