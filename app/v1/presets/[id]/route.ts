import { getPreset } from "@/lib/answers/presets/read";
import { DeletedPreset, Preset, PresetParams, UpdatePreset } from "@/lib/answers/presets/schema";
import { deletePreset, updatePreset } from "@/lib/answers/presets/write";
import { apiKey } from "@/lib/platform/auth/api-key";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

export const GET = route({
  operationId: "getPreset",
  summary: "Get a preset.",
  gate: apiKey("chat:completions"),
  params: PresetParams,
  answer: Preset,
  handle: ({ ctx, params }) => getPreset(ctx, params.id),
});

export const POST = route({
  operationId: "updatePreset",
  summary: "Replace the defaults of a preset that the key created.",
  gate: apiKey("chat:completions"),
  params: PresetParams,
  body: UpdatePreset,
  answer: Preset,
  handle: ({ ctx, params, body }) => updatePreset(ctx, params.id, body),
});

export const DELETE = route({
  operationId: "deletePreset",
  summary: "Delete a preset that the key created.",
  gate: apiKey("chat:completions"),
  params: PresetParams,
  answer: DeletedPreset,
  handle: ({ ctx, params }) => deletePreset(ctx, params.id),
});

export const { PUT, PATCH } = methodNotAllowed({ GET, POST, DELETE });
