import { call } from "@/lib/testing/api";

/** A store, and a file or batch of it, whose path names both. */
export type StoreKind = "store" | "storeFile" | "storeBatch";

/** A vector store with a file, which a batch added. */
export async function makeStore(
  key: string,
  { file, secret }: { file: string; secret: string },
): Promise<Record<StoreKind, string>> {
  const body = { name: secret, metadata: { code: secret } };
  const { json } = await call("POST", "/v1/vector_stores", { key, body });
  const path = `/v1/vector_stores/${json.id}/file_batches`;
  const { json: batch } = await call("POST", path, { key, body: { file_ids: [file] } });
  return { store: json.id, storeFile: `${json.id}|${file}`, storeBatch: `${json.id}|${batch.id}` };
}
