import { session } from "@/lib/auth/session-gate";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { listPresets } from "@/lib/presets/read";
import { CreatePreset, ListPresets } from "@/lib/presets/schema";
import { createPreset } from "@/lib/presets/write";

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
