import * as z from "zod";
import { CitationsRequest, citationFields } from "@/lib/answers/citations/schema";
import { KnowledgeScope, QueryMode } from "@/lib/platform/auth/schema";
import { cursorPageOf, pageCursor } from "@/lib/platform/http/list-page";
import { nullsAbsent } from "@/lib/platform/http/nulls-absent";
import { FIRST_ISSUE } from "@/lib/platform/http/plain-issues";

const MAX_NAME = 64;
const MAX_MODEL = 200;
/** Of `model:preset`. */
export const MAX_PRESET_ID = MAX_MODEL + 1 + MAX_NAME;

const PresetName = z
  .string({ error: "expected a name" })
  .max(MAX_NAME, `use at most ${MAX_NAME} characters`)
  .regex(
    /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/,
    "use lowercase letters, digits, '.', '-' and '_', with a letter or digit at both ends",
  );

/** What requests with the preset leave out. A query of its own would make every answer the same. */
const PresetCitations = nullsAbsent(
  z.strictObject({
    ...citationFields,
    enabled: z
      .boolean()
      .default(true)
      .describe("Search for requests that don't say otherwise: the purpose of most presets."),
    required: z
      .boolean()
      .default(true)
      .describe(
        "Fail requests whose search can't run, so that none is answered without sources unnoticed.",
      ),
    on_empty: citationFields.on_empty
      .default("say_so")
      .describe("What to do when the search finds nothing: by default, say so without a model."),
    sources: z
      .array(KnowledgeScope, { error: "expected a list of knowledge bases" })
      .min(1, "name at least one knowledge base, or leave the field out")
      .max(KnowledgeScope.options.length)
      .optional()
      .describe("The knowledge bases to search; by default all that the key may read."),
    query: QueryMode.optional().describe("What to search with. Defaults to the key's setting."),
  }),
).superRefine((citations, { addIssue }) => {
  const { error } = CitationsRequest.safeParse(citations, FIRST_ISSUE);
  for (const { message, path } of error?.issues ?? []) {
    addIssue({ code: "custom", message, path: [...path] });
  }
});
export type PresetCitations = z.output<typeof PresetCitations>;

const ignoreUnsupported = z
  .boolean()
  .optional()
  .describe(
    "What `ignore_unsupported` is for requests that leave it out. Defaults to true for the built-in model, so that chat clients can send it what it doesn't support.",
  );

export const CreatePreset = nullsAbsent(
  z.strictObject({
    name: PresetName.describe("Requests name the preset as `model:name`."),
    model: z
      .string({ error: "expected the id of a model from GET /v1/models" })
      .min(1)
      .max(MAX_MODEL)
      .describe("The model that answers."),
    citations: PresetCitations.default({
      enabled: true,
      required: true,
      on_empty: "say_so",
    }).describe("Defaults for requests with this preset. A request's own fields take precedence."),
    ignore_unsupported: ignoreUnsupported,
  }),
);
export type CreatePreset = z.output<typeof CreatePreset>;

/** Model and name stay: clients have them in their settings. */
export const UpdatePreset = z.strictObject({
  citations: PresetCitations.describe("Replaces all defaults."),
  ignore_unsupported: ignoreUnsupported.describe("Stays as it is when left out."),
});
export type UpdatePreset = z.output<typeof UpdatePreset>;

export const Preset = z.object({
  id: z.string(),
  object: z.literal("preset"),
  name: z.string(),
  model: z.string(),
  model_id: z.string().describe("What requests send as `model`: `model:name`."),
  citations: z.record(z.string(), z.unknown()),
  ignore_unsupported: z.boolean(),
  can_change: z
    .boolean()
    .describe("Whether the caller can change or delete it; its creator and owners can."),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Preset = z.infer<typeof Preset>;

export const PresetPage = cursorPageOf(Preset);
export type PresetPage = z.infer<typeof PresetPage>;

export const ListPresets = z.strictObject({
  after: pageCursor("pst_"),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe("Presets per page."),
});
export type ListPresets = z.output<typeof ListPresets>;

export const PresetParams = z.object({ id: z.string().describe("The preset's id.") });

export const DeletedPreset = z.object({
  id: z.string(),
  object: z.literal("preset"),
  deleted: z.literal(true),
});
export type DeletedPreset = z.infer<typeof DeletedPreset>;
