import fc from "fast-check";
import { expect, it } from "vitest";
import { listModels, modelIdsFor } from "@/lib/models/catalogue";
import { ALL_MODELS, KNOWLEDGE_SCOPES, SCOPES } from "@/lib/platform/auth/schema";
import { toAppError } from "@/lib/platform/http/error-response";
import { keyContext, makeAccount } from "@/lib/testing/factories";
import type { CreateKey } from "../schema";
import { narrow, narrowNew } from "./narrow";

const MODELS = listModels().map(({ id }) => id);
const models: fc.Arbitrary<string[] | null> = fc.oneof(
  fc.constant(null),
  fc.constant<string[]>([ALL_MODELS]),
  fc.subarray(MODELS, { minLength: 1 }),
);
const limit = fc.option(fc.integer({ min: 1, max: 20 }));
const limits = { models, requests_per_minute: limit, tokens_per_minute: limit };
const creator = fc.record({
  ...limits,
  scopes: fc.subarray([...SCOPES], { minLength: 1 }),
  knowledge_scopes: fc.subarray([...KNOWLEDGE_SCOPES]),
  stores: fc.option(fc.subarray(["public_kb", "vs_1", "vs_2"], { minLength: 1 })),
});
const change = fc.record(limits, { requiredKeys: [] });
const wanted = fc.tuple(creator, change).map(
  ([{ scopes, knowledge_scopes }, limited]): CreateKey => ({
    ...{ name: "any", mode: "test", scopes, knowledge_scopes, ...limited },
  }),
);

type Limits = Pick<CreateKey, "models" | "requests_per_minute" | "tokens_per_minute">;

function isWithin(given: Limits, own: Limits): boolean {
  const callable = modelIdsFor(own.models ?? []);
  const hasAll = own.models?.includes(ALL_MODELS) || !given.models?.includes(ALL_MODELS);
  const count = (value: number | null | undefined) => value ?? Number.POSITIVE_INFINITY;
  return (
    hasAll &&
    modelIdsFor(given.models ?? []).every((model) => callable.includes(model)) &&
    count(given.requests_per_minute) <= count(own.requests_per_minute) &&
    count(given.tokens_per_minute) <= count(own.tokens_per_minute)
  );
}

it("creates only keys with at most their creator's permissions", async () => {
  const { ctx } = await makeAccount();
  let accepted = 0;
  fc.assert(
    fc.property(creator, wanted, change, (own, input, later) => {
      const { actor } = keyContext(ctx, {
        scopes: own.scopes,
        knowledgeScopes: own.knowledge_scopes,
        stores: own.stores,
        models: own.models ?? [],
        requestsPerMinute: own.requests_per_minute,
        tokensPerMinute: own.tokens_per_minute,
      });
      try {
        const made = narrowNew(actor, input);
        expect(made.scopes.every((scope) => own.scopes.includes(scope))).toBe(true);
        expect(made.scopes).not.toContain("keys:write");
        expect(made.knowledge_scopes?.every((each) => own.knowledge_scopes.includes(each))).toBe(
          true,
        );
        expect(made.stores).toEqual(own.stores);
        expect(isWithin(made, own)).toBe(true);
        accepted += 1;
        expect(isWithin({ ...made, ...narrow(actor, later) }, own)).toBe(true);
      } catch (error) {
        expect(toAppError(error).code).toBe("insufficient_scope");
      }
    }),
    { numRuns: 3000 },
  );
  // Otherwise the property would hold for nothing.
  expect(accepted).toBeGreaterThan(30);
});
