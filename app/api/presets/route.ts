import { listPresets } from "@/lib/answers/presets/read";
import { CreatePreset, ListPresets } from "@/lib/answers/presets/schema";
import { createPreset } from "@/lib/answers/presets/write";
import { session } from "@/lib/platform/auth/session-gate";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

export const GET = route({
  gate: session(),
  query: ListPresets,
  handle: ({ ctx, query }) => listPresets(ctx, query),
});

export const POST = route({
  gate: session(),
  body: CreatePreset,
  status: 201,
  handle: ({ ctx, body }) => createPreset(ctx, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
