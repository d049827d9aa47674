import { describe, expect, it } from "vitest";
import { idEntries } from "./entries";
import { findKeys } from "./search-results";

const KEYS = [
  { name: "Intake assistant", display: "footnote_live_…a1B2", status: "revoked" as const },
  { name: "Nightly intake", display: "footnote_test_…c3D4", status: "usable" as const },
  { name: "Portal", display: "footnote_live_…e5F6", status: "usable" as const },
];

function find(text: string): string[] {
  return findKeys(KEYS, text).map(({ name }) => name);
}

describe("findKeys", () => {
  it("matches all words of the name, active keys first", () => {
    expect(find("intake")).toEqual(["Nightly intake", "Intake assistant"]);
    expect(find("assistant in")).toEqual(["Intake assistant"]);
    expect(find("none")).toEqual([]);
  });

  it("matches the end of the secret", () => {
    expect(find("e5F6")).toEqual(["Portal"]);
    expect(find("footnote_live")).toEqual([]);
  });

  it("returns at most five", () => {
    const many = Array.from({ length: 9 }, (_, index) => ({
      name: `Service ${index}`,
      display: "",
      status: "usable" as const,
    }));
    expect(findKeys(many, "service")).toHaveLength(5);
  });
});

describe("idEntries", () => {
  it("opens the page of a request, a document or a key by its id, and of nothing else", () => {
    const id = "01k9zq3v6x8y2m4n5p7r9s0t1a";
    expect(idEntries(`req_${id}`)).toMatchObject([
      { name: "Open request", action: { kind: "go", href: `/usage/req_${id}` } },
    ]);
    expect(idEntries(`doc_${id}`)).toMatchObject([{ action: { href: `/documents/doc_${id}` } }]);
    expect(idEntries(`key_${id}`)).toMatchObject([
      { name: "Open API key", action: { href: `/keys/key_${id}` } },
    ]);
    for (const text of ["", "req_", `mem_${id}`, `req_${id}/..`, `REQ_${id}`]) {
      expect(idEntries(text)).toEqual([]);
    }
  });
});
