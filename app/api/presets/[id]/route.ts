import { PresetParams, UpdatePreset } from "@/lib/answers/presets/schema";
import { deletePreset, updatePreset } from "@/lib/answers/presets/write";
import { memberRoute } from "@/lib/platform/auth/member-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const POST = memberRoute({
  params: PresetParams,
  body: UpdatePreset,
  handle: ({ ctx, params, body }) => updatePreset(ctx, params.id, body),
});

export const DELETE = memberRoute({
  params: PresetParams,
  handle: ({ ctx, params }) => deletePreset(ctx, params.id),
});

export const { GET, PUT, PATCH } = methodNotAllowed({ POST, DELETE });
