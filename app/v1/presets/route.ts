import { apiKey } from "@/lib/auth/api-key";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { listPresets } from "@/lib/presets/read";
import { CreatePreset, ListPresets, Preset, PresetPage } from "@/lib/presets/schema";
import { createPreset } from "@/lib/presets/write";

export const GET = route({
  operationId: "listPresets",
  summary: "List the presets of the models that the key can call, newest first.",
  gate: apiKey("chat:completions"),
  query: ListPresets,
  answer: PresetPage,
  handle: ({ ctx, query }) => listPresets(ctx, query),
});

export const POST = route({
  operationId: "createPreset",
  summary: "Create a preset: a model with citations defaults, named model:preset in requests.",
  gate: apiKey("chat:completions"),
  body: CreatePreset,
  answer: Preset,
  status: 201,
  handle: ({ ctx, body }) => createPreset(ctx, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
