import { describe, expect, it } from "vitest";
import type { Document } from "@/lib/library/documents/schema";
import { EditForm, toChanges, toEditForm } from "./edit-form";

const document = {
  title: "Leave",
  source_type: "policy",
  standing: "current",
  url: null,
  published_at: "2026-11-01T10:00:00Z",
  metadata: { ward: "7" },
} as unknown as Document;
const form = toEditForm(document);

describe("toChanges", () => {
  it("is null for an untouched form", () => {
    expect(toChanges(form, document)).toBeNull();
  });

  it("has only the fields that differ", () => {
    expect(toChanges({ ...form, standing: "superseded", metadata: "{}" }, document)).toEqual({
      standing: "superseded",
      metadata: {},
    });
    expect(toChanges({ ...form, published_at: "" }, document)).toEqual({ published_at: "" });
  });
});

describe("the form", () => {
  it("rejects a title of spaces, an address without http and metadata that is no object", () => {
    const wrong = { ...form, title: " ", url: "example.org", metadata: "[1]" };
    expect(EditForm.safeParse(wrong).error?.issues.map(({ path }) => path[0])).toEqual([
      "title",
      "url",
      "metadata",
    ]);
    expect(EditForm.safeParse(form).success).toBe(true);
  });
});
