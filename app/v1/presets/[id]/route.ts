import { getPreset } from "@/lib/answers/presets/read";
import { DeletedPreset, Preset, PresetParams, UpdatePreset } from "@/lib/answers/presets/schema";
import { deletePreset, updatePreset } from "@/lib/answers/presets/write";
import { keyRoute } from "@/lib/platform/auth/key-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = keyRoute("chat:completions", {
  operationId: "getPreset",
  summary: "Get a preset.",
  params: PresetParams,
  answer: Preset,
  handle: ({ ctx, params }) => getPreset(ctx, params.id),
});

export const POST = keyRoute("chat:completions", {
  operationId: "updatePreset",
  summary: "Replace the defaults of a preset that the key created.",
  params: PresetParams,
  body: UpdatePreset,
  answer: Preset,
  handle: ({ ctx, params, body }) => updatePreset(ctx, params.id, body),
});

export const DELETE = keyRoute("chat:completions", {
  operationId: "deletePreset",
  summary: "Delete a preset that the key created.",
  params: PresetParams,
  answer: DeletedPreset,
  handle: ({ ctx, params }) => deletePreset(ctx, params.id),
});

export const { PUT, PATCH } = methodNotAllowed({ GET, POST, DELETE });
