import "server-only";

import { conflict, insufficientScope, invalidRequest } from "@/lib/errors";
import { newId } from "@/lib/id";
import { findModel, modelIdsFor } from "@/lib/models/catalogue";
import { recordEvent } from "@/lib/platform/audit/write";
import type { KeyContext, MemberContext } from "@/lib/platform/auth/context";
import { accountPurge } from "@/lib/platform/db/account-purge";
import { lockList } from "@/lib/platform/db/advisory-lock";
import { type Session, transaction } from "@/lib/platform/db/client";
import { getPreset, MAX_PRESETS } from "./read";
import type { CreatePreset, DeletedPreset, Preset, PresetCitations, UpdatePreset } from "./schema";

type Author = KeyContext | MemberContext;

/**
 * Throws invalid_request for a model that isn't there or isn't the key's, insufficient_scope for knowledge bases that the
 * key can't read, or conflict when the name is taken or the account has too many.
 */
export async function createPreset(ctx: Author, input: CreatePreset): Promise<Preset> {
  requireModel(ctx, input.model);
  requireReadableSources(ctx, input.citations);
  const { account, actor } = ctx;
  const { name, model, citations, ignore_unsupported = null } = input;
  const id = newId("preset");
  const memberId = actor.kind === "member" ? actor.id : null;
  const keyId = actor.kind === "key" ? actor.id : null;
  await transaction(async (tx) => {
    await requireRoom(tx, account.id, input);
    await tx.query(
      "presets_create",
      `INSERT INTO preset (id, account_id, name, model, citations, created_by_member_id, created_by_key_id, ignore_unsupported)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [id, account.id, name, model, JSON.stringify(citations), memberId, keyId, ignore_unsupported],
    );
    await recordEvent(tx, ctx, { action: "preset.created", target: targetOf({ id, model, name }) });
  });
  return getPreset(ctx, id);
}

/** Requests use the new defaults at once. Throws not_found, or insufficient_scope. */
export async function updatePreset(
  ctx: Author,
  id: string,
  { citations, ignore_unsupported }: UpdatePreset,
): Promise<Preset> {
  const preset = await getOwnPreset(ctx, id);
  requireReadableSources(ctx, citations);
  await transaction(async (tx) => {
    const [row] = await tx.query(
      "presets_update",
      `UPDATE preset SET citations = $3, ignore_unsupported = coalesce($4, ignore_unsupported), updated_at = now()
        WHERE id = $1 AND account_id = $2 RETURNING id`,
      [id, ctx.account.id, JSON.stringify(citations), ignore_unsupported ?? null],
    );
    if (row) {
      await recordEvent(tx, ctx, { action: "preset.changed", target: targetOf(preset) });
    }
  });
  return getPreset(ctx, id);
}

/** Requests that still name it fail. Throws not_found, or insufficient_scope. */
export async function deletePreset(ctx: Author, id: string): Promise<DeletedPreset> {
  const preset = await getOwnPreset(ctx, id);
  await transaction(async (tx) => {
    const [row] = await tx.query(
      "presets_delete",
      "DELETE FROM preset WHERE id = $1 AND account_id = $2 RETURNING id",
      [id, ctx.account.id],
    );
    if (row) {
      await recordEvent(tx, ctx, { action: "preset.deleted", target: targetOf(preset) });
    }
  });
  return { id, object: "preset", deleted: true };
}

export const purgeAccountPresets = accountPurge({
  presets_purge_account: "DELETE FROM preset WHERE account_id = $1",
});

async function getOwnPreset(ctx: Author, id: string): Promise<Preset> {
  const preset = await getPreset(ctx, id);
  if (!preset.can_change) {
    throw insufficientScope(
      "Only the key or member that created this preset, or an owner of the account, can change it. Use that key, or create another preset.",
    );
  }
  return preset;
}

function targetOf({ id, model, name }: Pick<Preset, "id" | "model" | "name">) {
  return { id, name: `${model}:${name}` };
}

function requireModel({ actor }: Author, id: string): void {
  const isAllowed = actor.kind === "member" || modelIdsFor(actor.models).includes(id);
  if (!isAllowed || !findModel(id)) {
    throw invalidRequest(
      `${actor.kind === "key" ? `The model '${id}' is not on this key's list` : `There is no model '${id}'`}. Use one of GET /v1/models that isn't a preset itself.`,
      "model",
    );
  }
}

function requireReadableSources({ actor }: Author, { sources = [] }: PresetCitations): void {
  const missing =
    actor.kind === "key" ? sources.find((scope) => !actor.knowledgeScopes.includes(scope)) : null;
  if (missing) {
    throw insufficientScope(
      `This key can't read '${missing}'. Leave it out, or use a key that can.`,
      "citations.sources",
    );
  }
}

async function requireRoom(
  tx: Session,
  accountId: string,
  { model, name }: CreatePreset,
): Promise<void> {
  await lockList(tx, "presets", accountId);
  const [row] = await tx.query<{ count: number; is_taken: boolean | null }>(
    "presets_count",
    `SELECT count(*)::int AS count, bool_or(model = $2 AND name = $3) AS is_taken
       FROM preset WHERE account_id = $1`,
    [accountId, model, name],
  );
  if (row?.is_taken || findModel(`${model}:${name}`)) {
    throw conflict(
      `There is a '${model}:${name}' already. Change that one, or choose another name.`,
      "name",
    );
  }
  if ((row?.count ?? 0) >= MAX_PRESETS) {
    throw conflict(
      `The account has ${MAX_PRESETS} presets, the most allowed. Delete one that isn't used.`,
    );
  }
}
