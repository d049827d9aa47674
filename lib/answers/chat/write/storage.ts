import "server-only";

import { AppError, conflict } from "@/lib/errors";
import type { ChatMessage } from "@/lib/models/schema";
import { query } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { processSingleton } from "@/lib/singleton";
import type { StoredMessage } from "../stored-schema";

const MEGABYTE = 1024 * 1024;
/** For how long an account's bytes are remembered; other processes may store answers meanwhile. */
const FRESH_MS = 10_000;
/** Beyond this many accounts, all are read again. */
const MAX_REMEMBERED = 10_000;
/** A part's longer strings are the bytes of an image, a recording or a file. */
const MAX_PART_STRING = 2048;

/** The share of an account's bytes that may be kept for references alone, beside what is stored. */
const REFERABLE_SHARE = 1 / 8;
const MAX_REFERABLE = 10_000;

interface Stored {
  bytes: number;
  /** Of responses kept for references alone. */
  referable: { bytes: number; count: number };
}

const remembered = processSingleton(
  "stored bytes",
  () => new Map<string, Stored & { readAt: number }>(),
);

/**
 * Throws payload_too_large for messages that are too long to be stored, and conflict when the account's stored answers
 * take up as much as they may. To be called before anything is charged.
 */
export async function requireStorageRoom(
  accountId: string,
  messages: readonly ChatMessage[],
): Promise<void> {
  const most = env.MAX_STORED_ANSWER_BYTES;
  const stored = toStoredMessages(messages, "");
  const bytes = hasLongerStrings(stored, most) ? null : Buffer.byteLength(JSON.stringify(stored));
  if (bytes === null || bytes > most) {
    throw new AppError(
      "payload_too_large",
      `The messages take up more than ${inMegabytes(most)}, the most that can be stored with an answer. Shorten them, or send the request without 'store'.`,
      { param: "messages" },
    );
  }
  if ((await readStored(accountId)).bytes + bytes > env.MAX_STORED_BYTES_PER_ACCOUNT) {
    throw conflict(
      `The account's stored answers take up ${inMegabytes(env.MAX_STORED_BYTES_PER_ACCOUNT)}, the most allowed. Delete some of them, or send the request without 'store'.`,
      "store",
    );
  }
}

/** Whether a value's JSON is longer than that for its strings alone. Writing megabytes as JSON would hold up every other request. */
function hasLongerStrings(value: unknown, most: number): boolean {
  let left = most;
  const isBeyond = (inner: unknown): boolean => {
    if (typeof inner === "string") {
      left -= Buffer.byteLength(inner);
      return left < 0;
    }
    return typeof inner === "object" && inner !== null && Object.values(inner).some(isBeyond);
  };
  return isBeyond(value);
}

/** Adds an answer to what this process remembers. */
export function countStoredBytes(accountId: string, bytes: number): void {
  const known = remembered.get(accountId);
  if (known) {
    known.bytes += bytes;
  }
}

/** Whether a response of this size can be kept for references, which never take up the room of stored answers. */
export async function hasRoomToRefer(accountId: string, bytes: number): Promise<boolean> {
  const most = env.MAX_STORED_BYTES_PER_ACCOUNT;
  const stored = await readStored(accountId);
  const referable = stored.referable.bytes + bytes;
  return (
    bytes <= env.MAX_STORED_ANSWER_BYTES &&
    stored.referable.count < MAX_REFERABLE &&
    referable <= most * REFERABLE_SHARE &&
    stored.bytes + referable <= most
  );
}

export function countReferable(accountId: string, bytes: number): void {
  const known = remembered.get(accountId);
  if (known) {
    known.referable.bytes += bytes;
    known.referable.count += 1;
  }
}

/** After a deletion. */
export function forgetStoredBytes(accountId: string): void {
  remembered.delete(accountId);
}

/** OpenAI's form: either text, or parts and a content of null. Images, recordings and files lose their bytes. */
export function toStoredMessages(
  messages: readonly ChatMessage[],
  completionId: string,
): StoredMessage[] {
  return messages.map(({ content, name, ...rest }, index) => ({
    ...rest,
    id: `${completionId}-${index}`,
    content: typeof content === "string" ? content : null,
    name: typeof name === "string" ? name : null,
    content_parts: Array.isArray(content) ? content.map(withoutBytes) : null,
  }));
}

type Part = Exclude<ChatMessage["content"], string | null | undefined>[number];

function withoutBytes(part: Part): Part {
  if (part.type === "text") {
    return part;
  }
  const shortened = JSON.stringify(part, (_name, value: unknown) =>
    typeof value === "string" && value.length > MAX_PART_STRING ? mediaTypeOf(value) : value,
  );
  return JSON.parse(shortened);
}

/** The start of a data: URL, up to its bytes. */
function mediaTypeOf(value: string): string {
  return /^data:[^,]{0,100},/.exec(value)?.[0] ?? "";
}

async function readStored(accountId: string): Promise<Stored> {
  const known = remembered.get(accountId);
  if (known && Date.now() - known.readAt < FRESH_MS) {
    return known;
  }
  const [row] = await query<{ bytes: number; referable: number; count: number }>(
    "chat_stored_bytes",
    `SELECT coalesce(sum(bytes) FILTER (WHERE expires_at IS NULL), 0)::float8 AS bytes,
            coalesce(sum(bytes) FILTER (WHERE expires_at IS NOT NULL), 0)::float8 AS referable,
            count(expires_at)::integer AS count
       FROM stored_completion WHERE account_id = $1`,
    [accountId],
  );
  if (remembered.size >= MAX_REMEMBERED) {
    remembered.clear();
  }
  const { bytes, referable, count } = row ?? { bytes: 0, referable: 0, count: 0 };
  const stored = { bytes, referable: { bytes: referable, count }, readAt: Date.now() };
  remembered.set(accountId, stored);
  return stored;
}

function inMegabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
