import { describe, expect, it } from "vitest";
import { listModels } from "@/lib/models/catalogue";
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

  it("lists every model for a key of all models, which may call each", async () => {
    const { key } = await makeKeyedAccount({ models: ["*"] });
    const { data } = await openai(key).models.list();
    expect(data.map(({ id }) => id)).toEqual(listModels().map(({ id }) => id));
    const messages = [{ role: "user" as const, content: "Hello" }];
    const answer = await openai(key).chat.completions.create({ model: "scripted", messages });
    expect(answer.model).toBe("scripted");
  });

  it("returns a model by id, including slashes, and 404 for any other", async () => {
    const { key } = await makeKeyedAccount({ models: ["vendor/with-fallback"] });
    await expect(openai(key).models.retrieve("vendor/with-fallback")).resolves.toMatchObject({
      id: "vendor/with-fallback",
    });
    const broken = await call("GET", "/v1/models/%zz", { key });
    // The production host rejects what can't be decoded before it looks for a route.
    const isHosted = process.env.FOOTNOTE_TEST_HOST === "server";
    const expected = isHosted ? [400, "invalid_request"] : [404, "not_found"];
    expect([broken.status, broken.json.error.code]).toEqual(expected);
    await expect(openai(key).models.retrieve("scripted")).rejects.toMatchObject({
      status: 404,
      code: "not_found",
    });
  });
});
