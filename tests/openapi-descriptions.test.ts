import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

it("the OpenAPI document describes fields of requests and responses, with their values", async () => {
  const { components, servers } = JSON.parse(await readFile("public/openapi.json", "utf8"));
  expect(servers).toEqual([{ url: "/", description: expect.any(String) }]);
  const { ChatCompletionRequest, CitationsRequest, KnowledgeScope } = components.schemas;
  const { properties } = ChatCompletionRequest;
  expect(KnowledgeScope.enum).toEqual(["public_kb", "customer_kb", "personal_kb"]);
  const fields = [...Object.entries(properties), ...Object.entries(CitationsRequest.properties)];
  const undescribed = fields.filter(
    ([, field]) => !(field as { description?: string }).description,
  );
  expect(undescribed.map(([name]) => name)).toEqual(["stream_options"]);
});
