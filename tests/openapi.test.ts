import { describe, expect, it } from "vitest";
import { describeApi, type Operation } from "@/lib/http/openapi";
import type { RouteHandler } from "@/lib/http/route";

const modules = import.meta.glob<Record<string, RouteHandler>>("../app/v1/**/route.ts", {
  eager: true,
});

const operations: Operation[] = Object.entries(modules).flatMap(([file, module]) =>
  Object.entries(module).map(([method, handler]) => ({
    path: file.replace(/^\.\.\/app|\/route\.ts$/g, "").replaceAll(/\[(?:\.\.\.)?(\w+)\]/g, "{$1}"),
    method,
    facts: handler.facts,
  })),
);

describe("the OpenAPI description", () => {
  it("matches the committed file, so that API changes show in the diff", async () => {
    const text = `${JSON.stringify(describeApi(operations), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot("../public/openapi.json");
  });

  it("names the header that makes a retry safe", () => {
    const { paths } = describeApi(operations) as { paths: Record<string, { post: object }> };
    expect(paths["/v1/billing/checkout-sessions"]?.post).toMatchObject({
      parameters: [{ name: "Idempotency-Key", in: "header", required: false }],
    });
  });

  it("describes every method that requires a key, with its response", () => {
    const gated = operations.filter(({ facts }) => facts.gate.scope);
    expect(gated.length).toBeGreaterThanOrEqual(10);
    const isDescribed = ({ facts }: (typeof gated)[number]) =>
      facts.summary !== undefined && Boolean(facts.answer ?? facts.answerType);
    expect(gated.filter((operation) => !isDescribed(operation))).toEqual([]);
  });
});
