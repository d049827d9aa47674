import { expect, it } from "vitest";
import { adviceOn } from "./unknown-path";

it.each([
  ["/v1/images/generations", "your model's provider"],
  ["/v1/audio/speech", "your model's provider"],
  ["/v1/fine_tuning/jobs", "your model's provider"],
  ["/v1", "base URL"],
  ["/v1/responses/compact", "no compact"],
  ["/v1/responses/resp_1/run", "don't run in the background"],
  ["/v1/conversations", "POST /v1/responses"],
  ["/v1/completions", "POST /v1/chat/completions"],
  ["/v1/files", "POST /v1/kb/documents"],
  ["/v1/vector_stores/vs_1", "POST /v1/kb/documents"],
  ["/v1/assistants", "'citations'"],
  ["/v1/v1/chat/completions", "/v1 twice"],
  ["/api/chat/completions", "base URL to http://localhost:3000/v1."],
  ["/api/v1/models", "base URL to http://localhost:3000/v1."],
  ["/citations/verify", "base URL to http://localhost:3000/v1."],
  ["/openai/v1/models", "base URL to http://localhost:3000/v1."],
  ["/models", "base URL to http://localhost:3000/v1."],
  ["/v1/messages", "no endpoints of Anthropic's"],
  ["/v1/messages/count_tokens", "POST /v1/chat/completions"],
  ["/messages", "base URL to http://localhost:3000/v1."],
  ["/v1/deployments/gpt/chat/completions", "OpenAI instead of AzureOpenAI"],
  ["/openai/deployments/gpt/chat/completions", "migrate-azure"],
  ["/deployments/gpt/embeddings", "migrate-azure"],
  ["/v1/webhook_endpoints", "no webhooks"],
  ["/v1/chat/completions/chat/completions", "adds /chat/completions and /models itself"],
  ["//v1/models", "Write each slash once: /v1/models."],
  ["/v1//chat//completions", "Write each slash once: /v1/chat/completions."],
  ["/v1\\models", "Write each slash once: /v1/models."],
  ["//evil.example/x", "Write each slash once: /evil.example/x."],
  ["/v1/nope", "Check the path"],
  ["/v1/kb/documents/", "no trailing slash"],
  ["/api/nope", "Check the path"],
])("says what to do about %s", (path, advice) => {
  expect(adviceOn(path)).toContain(advice);
});
