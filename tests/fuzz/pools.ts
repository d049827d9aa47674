import { createHash } from "node:crypto";
import fc from "fast-check";
import { hostileText } from "./hostile";
import type { Hints } from "./valid";

/** The whole file of the uploads that a client has. */
export const UPLOADED = "Warfarin: 5 mg a day. ".repeat(90);

/** Stands for the id of a file of the sender. */
export const A_FILE = "doc_of_the_sender";

const WORDS = ["asthma", "stroke", "warfarin", "What", "is", "the", "dose", "[1]", "Ångström", "?"];
const words = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
  .map((all) => all.join(" "));

const part = fc.record({
  type: fc.constantFrom("text", "image_url", "file"),
  text: fc.oneof(words, hostileText),
});

const item = fc.oneof(
  fc.record({
    role: fc.constantFrom("user", "user", "assistant", "developer"),
    content: fc.oneof(words, hostileText),
  }),
  fc.record({
    type: fc.constantFrom("function_call", "function_call_output"),
    call_id: fc.constantFrom("call_1", "call_2"),
    name: words,
    arguments: hostileText,
    output: fc.oneof(words, hostileText),
  }),
  fc.record({ type: fc.constantFrom("reasoning", "item_reference", "computer_call"), id: words }),
);

/** Values for properties where the API would reject nearly everything else. */
export const HINTS: Hints = {
  model: fc.constantFrom("footnote-extract-1", "footnote-extract-1", "scripted", "nope"),
  messages: fc.array(
    fc.record({
      role: fc.constantFrom("user", "user", "user", "system", "assistant", "tool"),
      content: fc.oneof(
        { weight: 4, arbitrary: words },
        { weight: 1, arbitrary: hostileText },
        { weight: 1, arbitrary: fc.array(part, { maxLength: 3 }) },
      ),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  input: fc.oneof(
    { weight: 4, arbitrary: words },
    { weight: 1, arbitrary: hostileText },
    { weight: 2, arbitrary: fc.array(item, { maxLength: 4 }) },
  ),
  vector_store_ids: fc.subarray(["public_kb", "customer_kb"], { minLength: 1 }),
  previous_response_id: fc.constant(null),
  tool_choice: fc.constantFrom("auto", "none", "required"),
  max_output_tokens: fc.integer({ min: 1, max: 500 }),
  query: fc.oneof({ weight: 4, arbitrary: words }, { weight: 1, arbitrary: hostileText }),
  scope: fc.constantFrom("customer_kb", "personal_kb"),
  // Knowledge scopes, or texts to verify against.
  sources: fc.oneof(
    { weight: 3, arbitrary: fc.subarray(["public_kb", "customer_kb"], { minLength: 1 }) },
    { weight: 1, arbitrary: fc.array(fc.record({ text: words }), { minLength: 1, maxLength: 3 }) },
  ),
  // More would exceed the balance.
  n: fc.integer({ min: 1, max: 3 }),
  max_tokens: fc.integer({ min: 1, max: 500 }),
  max_completion_tokens: fc.constant(null),
  ref: fc.constant("0-9-0123456789ab"),
  // The account's jobs have finished, so these requests don't wait.
  wait: fc.constantFrom("0", "1", "30"),
  after: fc.constantFrom("doc_1", "chatcmpl-1"),
  success_url: fc.constant("https://example.org/back"),
  cancel_url: fc.constant("https://example.org/back"),
  file_id: fc.oneof({ weight: 4, arbitrary: fc.constant(A_FILE) }, hostileText),
  file_ids: fc.array(fc.constant(A_FILE), { maxLength: 3 }),
  text: fc.oneof(words, hostileText),
  file: fc.oneof(words, hostileText),
  data: fc.constantFrom(UPLOADED, UPLOADED.slice(1)),
  md5: fc.constant(hashOf("md5", UPLOADED)),
  sha256: fc.constant(hashOf("sha256", UPLOADED)),
  scopes: fc.subarray(["chat:completions", "kb:search", "billing:read"], { minLength: 1 }),
  overlap_seconds: fc.constantFrom(0, 3600, 86_400, 604_800, 5),
  group_by: fc.constantFrom("day", "model,key", "kind"),
};

/** Headers that servers misread. */
export const HEADERS: [string, string][] = [
  ["accept", "text/html"],
  ["accept-encoding", "zstd, *;q=0"],
  ["content-encoding", "gzip"],
  ["content-length", "99999999999"],
  ["content-length", "-1"],
  ["range", "bytes=0-0"],
  ["if-none-match", "*"],
  ["idempotency-key", "order-1"],
  ["idempotency-key", " "],
  ["idempotency-key", "\u00e9"],
  ["idempotency-key", "k".repeat(300)],
  ["x-forwarded-for", "'; --, ::1"],
  ["x-request-id", "req_chosen"],
  ["x-http-method-override", "DELETE"],
  ["transfer-encoding", "chunked"],
  ["origin", "null"],
  ["cookie", "next-auth.session-token=x"],
];

/** Valid and invalid content types for any body. */
export const MEDIA_TYPES = [
  "application/json; charset=utf-16",
  "application/json",
  "APPLICATION/JSON",
  "text/plain",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  'multipart/form-data; boundary="',
  "application/x-www-form-urlencoded",
  "application/octet-stream",
  ";",
  "",
];

/** Bodies that are neither JSON nor a form, or exceed a limit. */
export const BROKEN = [
  "",
  "{",
  "null",
  "0",
  '"text"',
  "[]",
  '{"model":"scripted","model":"nope","messages":[]}',
  '{"amount":1e999}',
  '{"amount":-0}',
  '{"amount":123456789012345678901234567890}',
  '{"query":"\\ud800","top_k":8}',
  '{"query":"x","min_score":1e-400}',
  '{"__proto__":{"amount":2500}}',
  '\ufeff{"amount":2500}',
  "[".repeat(100_000),
  '{"a":'.repeat(50_000),
  '--x\r\ncontent-disposition: form-data; name="file"\r\n\r\nhi\r\n--x--\r\n',
  '--x\r\ncontent-disposition: form-data; name="file"; filename="\\\0"\r\n\r\nhi',
  "--x--",
];

function hashOf(algorithm: "md5" | "sha256", text: string): string {
  return createHash(algorithm).update(text).digest("hex");
}
