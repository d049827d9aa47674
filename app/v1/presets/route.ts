import { listPresets } from "@/lib/answers/presets/read";
import { CreatePreset, ListPresets, Preset, PresetPage } from "@/lib/answers/presets/schema";
import { createPreset } from "@/lib/answers/presets/write";
import { apiKey } from "@/lib/platform/auth/api-key";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

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
