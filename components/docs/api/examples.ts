export interface Example {
  body?: object;
  /** A body of JSON Lines. */
  lines?: object[];
  form?: string[];
  query?: string;
}

/** What each operation's example sends, by method and path. */
export const EXAMPLES: Record<string, Example> = {
  "post /v1/chat/completions": {
    body: {
      model: "footnote-extract-1",
      messages: [{ role: "user", content: "What is the target INR on warfarin?" }],
      citations: { enabled: true, top_k: 1 },
    },
  },
  "post /v1/responses": {
    body: {
      model: "footnote-extract-1",
      input: "What is the target INR on warfarin?",
      tools: [{ type: "file_search", vector_store_ids: ["public_kb"], max_num_results: 1 }],
    },
  },
  "get /v1/responses/{response_id}": { query: "include=file_search_call.results" },
  "get /v1/chat/completions": { query: "metadata[ward]=7&limit=20" },
  "post /v1/chat/completions/{completion_id}": { body: { metadata: { ward: "8" } } },
  "post /v1/embeddings": {
    body: { model: "text-embedding-3-small", input: ["heart attack", "broken leg"] },
  },
  "post /v1/kb/search": { body: { query: "How is warfarin monitored?", top_k: 1 } },
  "post /v1/citations/verify": {
    body: {
      text: "The usual dose is 5 mg twice daily [1].",
      sources: [{ title: "Apixaban", text: "The usual dose of apixaban is 5 mg twice daily." }],
    },
  },
  "post /v1/citations/verify/batch": {
    lines: [
      {
        custom_id: "a",
        text: "The usual dose is 5 mg twice daily [1].",
        sources: [{ text: "The usual dose of apixaban is 5 mg twice daily." }],
      },
    ],
  },
  "post /v1/presets": {
    body: { name: "cited", model: "footnote-extract-1", citations: { return: "cited" } },
  },
  "post /v1/presets/{id}": { body: { citations: { return: "cited", top_k: 5 } } },
  "post /v1/keys": {
    body: {
      name: "Tenant 7",
      mode: "live",
      scopes: ["chat:completions"],
      monthly_budget_usd: "20",
    },
  },
  "patch /v1/keys/{id}": { body: { monthly_budget_usd: "50" } },
  "post /v1/keys/{id}/rotate": { body: { overlap_seconds: 86400 } },
  "post /v1/kb/documents": {
    form: ["scope=customer_kb", "source_type=guideline", "file=@guideline.pdf"],
  },
  "post /v1/files": { form: ["purpose=assistants", "file=@guideline.pdf"] },
  "post /v1/vector_stores": {
    body: { name: "Guidelines", expires_after: { anchor: "last_active_at", days: 30 } },
  },
  "post /v1/vector_stores/{vector_store_id}": { body: { name: "Guidelines of 2026" } },
  "post /v1/vector_stores/{vector_store_id}/files": {
    body: { file_id: "doc_01kat4f0d4e5n9b3r6q8s2v7wx", attributes: { ward: "7", year: 2026 } },
  },
  "post /v1/vector_stores/{vector_store_id}/files/{file_id}": {
    body: { attributes: { ward: "8" } },
  },
  "post /v1/vector_stores/{vector_store_id}/search": {
    body: { query: "How is warfarin monitored?", max_num_results: 1 },
  },
  "post /v1/vector_stores/{vector_store_id}/file_batches": {
    body: { file_ids: ["doc_01kat4f0d4e5n9b3r6q8s2v7wx"] },
  },
  "post /v1/uploads": {
    body: { bytes: 7340032, filename: "guideline.pdf", purpose: "user_data" },
  },
  "post /v1/uploads/{id}/parts": { form: ["part_number=1", "data=@guideline.pdf.part1"] },
  "post /v1/uploads/{id}/complete": { body: { scope: "customer_kb", source_type: "guideline" } },
  "post /v1/kb/documents/update": {
    body: {
      ids: ["doc_01jb0zq3wz5h8m2k7v9d4c6xyt"],
      attributes: { team: "legal", year: 2026, draft: null },
    },
  },
  "post /v1/kb/documents/delete": {
    body: { scope: "customer_kb", external_ids: ["handbook/7", "handbook/8"] },
  },
  "patch /v1/kb/documents/{id}": { body: { title: "Ward handbook", standing: "superseded" } },
  "get /v1/kb/jobs/{job_id}": { query: "wait=30" },
  "get /v1/kb/documents/{id}/quote": { query: "ref=120-260-0123456789ab" },
  "get /v1/billing/usage": { query: "from=2026-11-01&to=2026-11-30&group_by=day,model" },
  "post /v1/billing/checkout-sessions": { body: { amount: 2500 } },
};
