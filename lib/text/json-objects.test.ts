import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import { findJsonObjects } from "./json-objects";

const Call = z.strictObject({ name: z.literal("look"), at: z.unknown() });

it("finds what a schema accepts between thoughts, tags and fences", () => {
  const written =
    'I see {it}: <call>{"name":"look","at":{"name":"look"}}</call> and ```{"name":"look","at":"}"}```';
  expect(findJsonObjects(written, Call)).toEqual([
    { name: "look", at: { name: "look" } },
    { name: "look", at: "}" },
  ]);
});

it("finds an object in any text without braces", () => {
  const prose = fc.string().map((text) => text.replaceAll(/[{}]/g, ""));
  fc.assert(
    fc.property(prose, fc.jsonValue(), prose, (before, at, after) => {
      const call = JSON.parse(JSON.stringify({ name: "look", at }));
      expect(findJsonObjects(before + JSON.stringify(call) + after, Call)).toEqual([call]);
    }),
  );
});
