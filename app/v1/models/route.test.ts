import { describe, expect, it } from "vitest";
import { call, openai } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";

describe("GET /v1/models", () => {
  it("lists only the key's models and marks the default", async () => {
    const { key } = await makeKeyedAccount({ models: ["scripted", "footnote-extract-1"] });
    const { data } = await openai(key).models.list();
    expect(data.map(({ id, ...rest }) => [id, (rest as { default?: boolean }).default])).toEqual([
      ["footnote-extract-1", true],
      ["scripted", false],
    ]);
    expect(data[0]).toMatchObject({
      object: "model",
      owned_by: "footnote",
      created: expect.any(Number),
    });
  });

  it("lists only the default model for a key without a list", async () => {
    const { key } = await makeKeyedAccount({ models: null });
    const { data } = await openai(key).models.list();
    expect(data.map(({ id }) => id)).toEqual(["footnote-extract-1"]);
  });

  it("returns a model by id, including slashes, and 404 for any other", async () => {
    const { key } = await makeKeyedAccount({ models: ["vendor/with-fallback"] });
    await expect(openai(key).models.retrieve("vendor/with-fallback")).resolves.toMatchObject({
      id: "vendor/with-fallback",
    });
    const broken = await call("GET", "/v1/models/%zz", { key });
    expect([broken.status, broken.json.error.code]).toEqual([404, "not_found"]);
    await expect(openai(key).models.retrieve("scripted")).rejects.toMatchObject({
      status: 404,
      code: "not_found",
    });
  });
});
