import { CitationsRequest } from "@/lib/answers/citations/schema";
import { findPresetDefaults } from "@/lib/answers/presets/read";
import { invalidRequest } from "@/lib/errors";
import { modelIdsFor } from "@/lib/models/catalogue";
import type { KeyContext } from "@/lib/platform/auth/context";
import type { ChatRequest } from "./schema";

/**
 * The request with the defaults of the preset that its model names, such as `gpt-5:cited`; its own fields win. A model of
 * the key's list is never taken for a preset. Throws invalid_request.
 */
export async function applyPreset(ctx: KeyContext, body: ChatRequest): Promise<ChatRequest> {
  const allowed = modelIdsFor(ctx.actor.models);
  const colon = body.model.lastIndexOf(":");
  const model = body.model.slice(0, colon);
  if (colon < 1 || allowed.includes(body.model) || !allowed.includes(model)) {
    return body;
  }
  const name = body.model.slice(colon + 1);
  const defaults = await findPresetDefaults(ctx, { model, name });
  if (!defaults) {
    throw invalidRequest(
      `The model '${model}' has no preset '${name}' in this account; it may have been deleted. Use one of GET /v1/models, or '${model}' itself.`,
      "model",
    );
  }
  return {
    ...body,
    model,
    ignore_unsupported: body.ignore_unsupported ?? defaults.ignoresUnsupported,
    citations: { ...CitationsRequest.parse(defaults.citations), ...body.citations },
  };
}
