import * as z from "zod";
import type { KeyContext } from "@/lib/auth/context";
import { AppError } from "@/lib/errors";
import { findModel, type Model, modelIdsFor } from "./catalogue";

/** 2026-01-01: OpenAI's shape has a creation time, and the catalogue has none. */
const CREATED = 1_767_225_600;

/** Upstream ids may contain slashes, so the id is the rest of the path. */
export const ModelParams = z.object({
  model: z.array(z.string()).transform((parts) => parts.map(decode).join("/")),
});

/** A malformed escape stays as it is; no model has such an id. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const ListedModel = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: z.number(),
  owned_by: z.string(),
  /** True for the model that a key without a list may call. */
  default: z.boolean(),
  context_length: z.number(),
  max_output_tokens: z.number(),
});
export type ListedModel = z.infer<typeof ListedModel>;

export const ModelList = z.object({ object: z.literal("list"), data: z.array(ListedModel) });
export type ModelList = z.infer<typeof ModelList>;

/** The models the key may call, the default one first. */
export function listKeyModels({ actor }: KeyContext): ModelList {
  const models = modelIdsFor(actor.models).flatMap((id) => findModel(id) ?? []);
  return {
    object: "list",
    data: models.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault)).map(toListed),
  };
}

/** One model the key may call. Throws not_found for any other. */
export function getKeyModel(ctx: KeyContext, id: string): ListedModel {
  const model = listKeyModels(ctx).data.find((candidate) => candidate.id === id);
  if (!model) {
    throw new AppError(
      "not_found",
      "This key may call no such model. List the ones it may with GET /v1/models.",
      { param: "model" },
    );
  }
  return model;
}

function toListed(model: Model): ListedModel {
  return {
    id: model.id,
    object: "model",
    created: CREATED,
    owned_by: model.ownedBy,
    default: model.isDefault,
    context_length: model.contextLength,
    max_output_tokens: model.maxOutputTokens,
  };
}
