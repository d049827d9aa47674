import { session } from "@/lib/auth/session-gate";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { PresetParams, UpdatePreset } from "@/lib/presets/schema";
import { deletePreset, updatePreset } from "@/lib/presets/write";

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
