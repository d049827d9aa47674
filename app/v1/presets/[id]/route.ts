import { apiKey } from "@/lib/auth/api-key";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { getPreset } from "@/lib/presets/read";
import { DeletedPreset, Preset, PresetParams, UpdatePreset } from "@/lib/presets/schema";
import { deletePreset, updatePreset } from "@/lib/presets/write";

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
