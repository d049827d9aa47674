import { describe, expect, it } from "vitest";
import { revokeKey } from "@/lib/money/keys/write/keys";
import { db } from "@/lib/platform/db/client";
import { openai } from "@/lib/testing/api";
import { breakSearch } from "@/lib/testing/break-search";
import { makeAccount, makeKey, makeKeyedAccount } from "@/lib/testing/factories";

interface Asked {
  model?: string;
  citations?: object;
}

function ask(key: string, asked: Asked = {}, headers: Record<string, string | null> = {}) {
  const body = {
    model: "footnote-extract-1",
    messages: [{ role: "user", content: "What is asthma?" }],
    ...asked,
  };
  return openai(key).chat.completions.create(body as never, { headers });
}

describe("the stock client", () => {
  it("5 is refused without a bearer key, with a bad, revoked or expired one, and without the scope", async () => {
    const { ctx } = await makeAccount();
    const good = await makeKey(ctx);
    const scopeless = await makeKey(ctx, { scopes: ["billing:read"] });
    const revoked = await makeKey(ctx);
    await revokeKey(ctx, revoked.id);
    const expired = await makeKey(ctx);
    await db().apiKey.updateMany({ where: { id: expired.id }, data: { expiresAt: new Date(0) } });
    await expect(ask(good.secret, {}, { authorization: null })).rejects.toMatchObject({
      status: 401,
      code: "missing_api_key",
    });
    for (const key of ["nope", good.secret.slice(0, -1), revoked.secret, expired.secret]) {
      await expect(ask(key)).rejects.toMatchObject({ status: 403, code: "invalid_api_key" });
    }
    await expect(ask(scopeless.secret)).rejects.toMatchObject({
      status: 403,
      code: "insufficient_scope",
    });
    await expect(ask(good.secret)).resolves.toMatchObject({ object: "chat.completion" });
  });

  it("7.1 receives each specified error code with its status, type, message and request id", async () => {
    const { key } = await makeKeyedAccount();
    const required = { enabled: true, required: true };
    const failing: [() => PromiseLike<unknown>, number, string, string][] = [
      [() => ask(key, { model: "nope" }), 400, "invalid_request", "invalid_request_error"],
      [() => ask(key, {}, { authorization: null }), 401, "missing_api_key", "authentication_error"],
      [() => ask("nope"), 403, "invalid_api_key", "authentication_error"],
      [
        () => ask(key, { citations: { enabled: true, sources: ["web"] } }),
        403,
        "insufficient_scope",
        "permission_error",
      ],
      [() => ask(key, { citations: required }), 503, "retrieval_unavailable", "server_error"],
    ];
    breakSearch();
    for (const [call, status, code, type] of failing) {
      await expect(call()).rejects.toMatchObject({
        status,
        code,
        type,
        requestID: expect.stringMatching(/^req_/),
        message: expect.stringMatching(/\. /),
      });
    }
  });

  it("8 is refused values outside the limits, naming the field", async () => {
    const { key } = await makeKeyedAccount();
    const wrong = { top_k: [0, 51, 1.5, "8"], min_score: [-0.1, 1.1, "0.3"] };
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        await expect(
          ask(key, { citations: { enabled: true, [field]: value } }),
        ).rejects.toMatchObject({
          status: 400,
          code: "invalid_request",
          param: `citations.${field}`,
        });
      }
    }
  });
});
