/** The domain that owns each table. Other domains call its functions instead of naming the table in SQL. */
export const TABLE_OWNERS: Record<string, string> = {
  account: "auth",
  invitation: "auth",
  member: "auth",
  member_identity: "auth",
  member_session: "auth",
  password_reset: "auth",

  audit_event: "audit",
  audit_subject: "audit",

  api_key: "keys",
  key_secret: "keys",
  person: "keys",

  checkout_session: "billing",
  hold: "billing",
  key_spend: "billing",
  ledger_entry: "billing",
  payment: "billing",
  payment_customer: "billing",
  payment_event: "billing",
  payment_reversal: "billing",
  simulated_checkout: "billing",
  retention_watermark: "billing",

  refused_request: "usage",
  usage_record: "usage",

  shared_link: "sharing",

  stored_completion: "chat",
  idempotent_request: "chat",

  preset: "presets",

  chunk: "documents",
  chunk_vector: "documents",
  collection: "documents",
  document_tombstone: "documents",
  document: "documents",
  document_attribute: "documents",
  document_page: "documents",
  document_upload: "documents",
  upload: "documents",
  upload_slice: "documents",
  job: "documents",
  recognized_page: "documents",
  document_frequency: "documents",
  vector_space: "documents",
  vector_store: "documents",
  vector_store_batch: "documents",
  vector_store_file: "documents",
  vocabulary: "documents",
};

/** Joins across domains that remain. This list may only shrink: an entry that is no longer needed fails the test. */
export const ALLOWED_TABLE_ACCESS: Record<string, string[]> = {
  "lib/platform/auth/read.ts": ["api_key", "key_secret"],
  "lib/platform/auth/write/touch-key.ts": ["api_key", "key_secret"],
  "lib/money/billing/read/audit.ts": ["account", "api_key", "usage_record"],
  "lib/money/billing/read/balance.ts": ["account"],
  "lib/money/billing/write/low-balance.ts": ["account", "member"],
  "lib/money/billing/write/payments.ts": ["account"],
  "lib/money/billing/write/retention.ts": ["account", "usage_record"],
  "lib/answers/chat/read/stored.ts": ["person", "usage_record"],
  "lib/answers/chat/write/referable.ts": ["account"],
  "lib/answers/chat/write/stored.ts": ["account", "chunk", "document"],
  "lib/library/retrieval/read/passages.ts": ["chunk", "document"],
  "lib/library/retrieval/read/retrievers.ts": [
    "chunk",
    "chunk_vector",
    "collection",
    "document_frequency",
  ],
  "lib/money/keys/write/narrow.ts": ["key_spend"],
  "lib/money/usage/read/overview.ts": ["api_key", "job", "payment"],
  "lib/money/usage/read/report.ts": ["api_key"],
  "lib/money/usage/read/request.ts": ["api_key", "collection", "document", "person"],
  "lib/money/usage/read/requests.ts": ["api_key"],
  "lib/money/usage/read/summary.ts": ["api_key"],
};
