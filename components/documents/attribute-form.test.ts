import { describe, expect, it } from "vitest";
import { Attributes } from "@/lib/library/documents/filter-schema";
import { AttributeForm, toAttributeChange } from "./attribute-form";

const FORM = { name: "team", value: "legal", isRemoved: false };

describe("the form of an attribute", () => {
  it.each([
    [{ name: " " }, "name"],
    [{ name: "x".repeat(101) }, "name"],
    [{ value: " " }, "value"],
  ])("refuses %j", (change, field) => {
    const issues = AttributeForm.safeParse({ ...FORM, ...change }).error?.issues;
    expect(issues?.map(({ path }) => path[0])).toEqual([field]);
  });

  it.each([
    [{}, { team: "legal" }],
    [{ name: " year ", value: "2026" }, { year: 2026 }],
    [{ value: '""' }, { team: "" }],
    [{ value: "", isRemoved: true }, { team: null }],
    [{ value: "x".repeat(600), isRemoved: true }, { team: null }],
  ])("makes a change that the API accepts of %j", (change, expected) => {
    const attributes = toAttributeChange(AttributeForm.parse({ ...FORM, ...change }));
    expect(attributes).toEqual(expected);
    expect(Attributes.safeParse(attributes).success).toBe(true);
  });
});
