import "server-only";

import { notFound } from "@/lib/errors";
import type { Preset as PresetRow, Prisma } from "@/lib/generated/prisma/client";
import {
  findModel,
  type ListedModel,
  listKeyModels,
  type ModelList,
  modelIdsFor,
} from "@/lib/models/catalogue";
import { type Viewer, viewerOf } from "@/lib/money/keys/read";
import type { KeyContext, MemberContext } from "@/lib/platform/auth/context";
import { db, query } from "@/lib/platform/db/client";
import { toListPage } from "@/lib/platform/http/list-page";

/** `GET /v1/models` lists as many. */
export const MAX_PRESETS = 100;

/** The account's presets, newest first; for a key, those of models that it may call. */
export async function listPresets(
  ctx: KeyContext | MemberContext,
  { after, limit }: { after?: string | undefined; limit: number },
) {
  const viewer = await viewerOf(ctx);
  const rows = await db().preset.findMany({
    where: { ...visibleTo(ctx), ...(after && { id: { lt: after } }) },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  return toListPage(rows, limit, (row) => toPreset(row, viewer));
}

/** Throws not_found. */
export async function getPreset(ctx: KeyContext | MemberContext, id: string) {
  const row = await db().preset.findFirst({ where: { ...visibleTo(ctx), id } });
  if (!row) {
    throw notFound("There is no such preset. List them with GET /v1/presets.", "id");
  }
  return toPreset(row, await viewerOf(ctx));
}

/** The defaults of a preset; null if the account has none of this name. */
export async function findPresetDefaults(
  { account }: KeyContext,
  { model, name }: { model: string; name: string },
): Promise<{ citations: Record<string, unknown>; ignoresUnsupported: boolean } | null> {
  const [row] = await query<{
    citations: Record<string, unknown>;
    ignoresUnsupported: boolean | null;
  }>(
    "presets_find",
    `SELECT citations, ignore_unsupported AS "ignoresUnsupported"
       FROM preset WHERE account_id = $1 AND model = $2 AND name = $3`,
    [account.id, model, name],
  );
  return row ? { ...row, ignoresUnsupported: row.ignoresUnsupported ?? isBuiltIn(model) } : null;
}

function isBuiltIn(model: string): boolean {
  return findModel(model)?.upstream === null;
}

/** The models that the key may call, then the presets of them whose knowledge bases it may read. */
export async function listUsableModels(ctx: KeyContext): Promise<ModelList> {
  const models = listKeyModels(ctx);
  const presets = await db().preset.findMany({
    where: visibleTo(ctx),
    orderBy: { id: "asc" },
    take: MAX_PRESETS,
  });
  const listed = presets
    .filter(({ citations }) => canSearch(ctx, citations))
    .flatMap((preset) => toListed(preset, models.data) ?? []);
  return { ...models, data: [...models.data, ...listed] };
}

/** One model or preset the key may call. Throws not_found for any other. */
export async function getUsableModel(ctx: KeyContext, id: string): Promise<ListedModel> {
  const { data } = await listUsableModels(ctx);
  const model = data.find((candidate) => candidate.id === id);
  if (!model) {
    throw notFound(
      "There is no such model on this key's list. Use one of GET /v1/models.",
      "model",
    );
  }
  return model;
}

function visibleTo({ account, actor }: KeyContext | MemberContext): Prisma.PresetWhereInput {
  return {
    accountId: account.id,
    ...(actor.kind === "key" && { model: { in: [...modelIdsFor(actor.models)] } }),
  };
}

/** Whether a request of the key with these defaults would pass its check of knowledge scopes. */
function canSearch({ actor }: KeyContext, citations: Prisma.JsonValue): boolean {
  const { enabled, sources } = citations as { enabled?: boolean; sources?: string[] };
  const readable: readonly string[] = actor.knowledgeScopes;
  const searched = sources ?? readable;
  return !enabled || (searched.length > 0 && searched.every((scope) => readable.includes(scope)));
}

/** Null when the model has left the catalog. */
function toListed(preset: PresetRow, models: readonly ListedModel[]): ListedModel | null {
  const model = models.find(({ id }) => id === preset.model);
  return model
    ? {
        ...model,
        id: `${preset.model}:${preset.name}`,
        created: Math.floor(preset.createdAt.getTime() / 1000),
        owned_by: "account",
        default: false,
        preset_of: model.id,
      }
    : null;
}

function toPreset(row: PresetRow, viewer: Viewer) {
  const creator = viewer.kind === "key" ? row.createdByKeyId : row.createdByMemberId;
  return {
    id: row.id,
    object: "preset" as const,
    name: row.name,
    model: row.model,
    model_id: `${row.model}:${row.name}`,
    citations: row.citations as Record<string, unknown>,
    ignore_unsupported: row.ignoreUnsupported ?? isBuiltIn(row.model),
    can_change: creator === viewer.id || viewer.isOwner,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
