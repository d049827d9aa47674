import { describe, expect, it } from "vitest";
import type { LibraryStore } from "@/lib/library/documents/store-schema";
import { choicesOf, filterFor, matching } from "./store-names";

function store(id: string, changes: Partial<LibraryStore> = {}): LibraryStore {
  const file_counts = { in_progress: 0, completed: 2, failed: 0, cancelled: 0, total: 2 };
  return {
    ...{ id, name: "", scope: "customer_kb", usage_bytes: 9, file_counts, status: "completed" },
    ...{ last_active_at: null, keys: [], object: "vector_store", created_at: 0, description: "" },
    ...{ expires_after: null, expires_at: null, metadata: {}, ...changes },
  };
}

describe("choicesOf", () => {
  it("lists all documents and both knowledge bases before the stores", () => {
    const stores = [store("customer_kb"), store("vs_2", { name: "Old", status: "expired" })];
    expect(
      choicesOf(stores).map(({ id, name, files, isExpired }) => [id, name, files, isExpired]),
    ).toEqual([
      ["", "All documents", null, false],
      ["customer_kb", "Account", 2, false],
      ["personal_kb", "Personal", 0, false],
      ["vs_2", "Old", 2, true],
    ]);
  });

  it("shows a store without a name with its id", () => {
    expect(choicesOf([store("vs_1")]).at(-1)?.name).toBe("vs_1");
  });
});

describe("matching", () => {
  it("finds names in upper or lower case, and whole ids", () => {
    const choices = [
      { id: "vs_1", name: "Handbooks" },
      { id: "vs_2", name: "Ward 7" },
    ];
    const found = (text: string) => matching(choices, text).map(({ id }) => id);
    expect([found("HAND"), found(" ward"), found("vs_2"), found("x")]).toEqual([
      ["vs_1"],
      ["vs_2"],
      ["vs_2"],
      [],
    ]);
    expect(found("")).toEqual(["vs_1", "vs_2"]);
  });
});

describe("filterFor", () => {
  it("replaces the store and keeps the other filters", () => {
    const filter = { store: "vs_1", title: "night" };
    expect(filterFor("vs_2", filter)).toEqual({ store: "vs_2", title: "night" });
    expect(filterFor("personal_kb", filter)).toEqual({ scope: "personal_kb", title: "night" });
    expect(filterFor("", { scope: "customer_kb", title: "night" })).toEqual({ title: "night" });
  });
});
