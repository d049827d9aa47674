import { listPresets } from "@/lib/answers/presets/read";
import { CreatePreset, ListPresets } from "@/lib/answers/presets/schema";
import { createPreset } from "@/lib/answers/presets/write";
import { memberRoute } from "@/lib/platform/auth/member-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = memberRoute({
  query: ListPresets,
  handle: ({ ctx, query }) => listPresets(ctx, query),
});

export const POST = memberRoute({
  body: CreatePreset,
  status: 201,
  handle: ({ ctx, body }) => createPreset(ctx, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
