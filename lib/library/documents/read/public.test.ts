import { beforeAll, describe, expect, it } from "vitest";
import type { Collection } from "@/lib/library/documents/collections";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKeyedAccount } from "@/lib/testing/factories";
import { indexText } from "@/lib/testing/index-text";
import { quoteRefOf } from "../quote-ref";
import { findPublicDocument, isPublicDocument } from "./public";

const TEXT = "Confidential: quibblezol lowers glimmerosis within 7 days.";

let id: string;
let foreign: string[];

beforeAll(async () => {
  const { key } = await makeKeyedAccount({ scopes: ["kb:search"] });
  const { json } = await call("POST", "/v1/kb/search", {
    key,
    body: { query: "maximum total dose of acetaminophen" },
  });
  id = json.data.find((one: { title: string }) =>
    one.title.startsWith("Acetaminophen"),
  ).document_id;
  const { id: accountId } = (await makeAccount()).ctx.account;
  const own: Collection[] = [
    { id: `customer_kb:${accountId}`, scope: "customer_kb", accountId, personId: null },
  ];
  foreign = await Promise.all(own.map((collection) => indexText(collection, TEXT)));
});

describe("a document of public_kb", () => {
  it("is read by anyone, at its start and at a quote", async () => {
    const opened = await findPublicDocument(id, { ref: null, from: 0 });
    expect(opened?.document.title).toBe("Acetaminophen (paracetamol)");
    expect(opened?.quote).toBeNull();
    const text = opened?.window.text ?? "";
    const words = "4,000 mg in 24 hours";
    const start = text.indexOf(words);
    const ref = quoteRefOf({ text: words, start, end: start + words.length });
    const quoted = await findPublicDocument(id, { ref, from: 0 });
    expect(quoted?.quote).toMatchObject({ status: "current", text: words, char_start: start });
    expect(await isPublicDocument(id)).toBe(true);
  });

  it.each(["", "0-5", "1-2-zzzzzzzzzzzz", "9".repeat(400)])(
    "is read from its start for a malformed quote: %s",
    async (ref) => {
      const opened = await findPublicDocument(id, { ref, from: 0 });
      expect(opened).toMatchObject({ quote: null, window: { start: 0 } });
    },
  );

  it("is read from an offset past its end without text", async () => {
    const opened = await findPublicDocument(id, { ref: null, from: 999_999_999 });
    expect(opened?.window.text).toBe("");
  });
});

describe("any other document", () => {
  it("is not found, not even its existence", async () => {
    for (const other of [...foreign, "doc_none", "", "../x", "doc_\0", `doc_${"z".repeat(500)}`]) {
      expect(await isPublicDocument(other)).toBe(false);
      expect(await findPublicDocument(other, { ref: null, from: 0 })).toBeNull();
      const ref = quoteRefOf({ text: TEXT, start: 0, end: TEXT.length });
      expect(await findPublicDocument(other, { ref, from: 0 })).toBeNull();
    }
  });
});
