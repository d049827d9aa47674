import { PresetParams, UpdatePreset } from "@/lib/answers/presets/schema";
import { deletePreset, updatePreset } from "@/lib/answers/presets/write";
import { session } from "@/lib/platform/auth/session-gate";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

export const POST = route({
  gate: session(),
  params: PresetParams,
  body: UpdatePreset,
  handle: ({ ctx, params, body }) => updatePreset(ctx, params.id, body),
});

export const DELETE = route({
  gate: session(),
  params: PresetParams,
  handle: ({ ctx, params }) => deletePreset(ctx, params.id),
});

export const { GET, PUT, PATCH } = methodNotAllowed({ POST, DELETE });
