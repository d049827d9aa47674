import * as z from "zod";
import { session } from "@/lib/auth/session-gate";
import { ChatRequest } from "@/lib/chat/schema";
import { createCompletion } from "@/lib/chat/write/complete";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { PLAYGROUND_PRESETS } from "@/lib/keys/playground";
import { playgroundContext } from "@/lib/keys/write/playground";

/** The body of /v1/chat/completions, plus the user it is sent for. */
export const POST = route({
  gate: session(),
  body: ChatRequest.extend({ preset: z.enum(PLAYGROUND_PRESETS) }),
  handle: async ({ ctx, body: { preset, ...body } }) =>
    createCompletion(await playgroundContext(ctx, preset), body),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
