import { listPresets } from "@/lib/answers/presets/read";
import { CreatePreset, ListPresets, Preset, PresetPage } from "@/lib/answers/presets/schema";
import { createPreset } from "@/lib/answers/presets/write";
import { keyRoute } from "@/lib/platform/auth/key-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = keyRoute("chat:completions", {
  operationId: "listPresets",
  summary: "List the presets of the models that the key can call, newest first.",
  query: ListPresets,
  answer: PresetPage,
  handle: ({ ctx, query }) => listPresets(ctx, query),
});

export const POST = keyRoute("chat:completions", {
  operationId: "createPreset",
  summary: "Create a preset: a model with citations defaults, named model:preset in requests.",
  body: CreatePreset,
  answer: Preset,
  status: 201,
  handle: ({ ctx, body }) => createPreset(ctx, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
