import { beforeAll, describe, expect, it } from "vitest";
import type { MemberContext } from "@/lib/platform/auth/context";
import { transaction } from "@/lib/platform/db/client";
import { addDocument } from "@/lib/testing/add-document";
import { makeAccount } from "@/lib/testing/factories";
import { toReaderContext } from "./documents";
import { listNewestOutlines } from "./outline";

let ctx: MemberContext;

beforeAll(async () => {
  ({ ctx } = await makeAccount());
  const { id } = ctx.account;
  await addDocument(id, { title: "Oldest", text: "Nothing to see here." });
  const headed = await addDocument(id, { title: "Apixaban", text: "Take it twice a day." });
  await transaction((tx) =>
    tx.execute("UPDATE chunk SET headings = '{Part,Dose}' WHERE document_id = $1", [headed]),
  );
  await addDocument(id, { title: "Newest", text: "A note without any heading." });
});

describe("listNewestOutlines", () => {
  it("lists the newest documents with their deepest headings", async () => {
    expect(await listNewestOutlines(await toReaderContext(ctx), 2)).toEqual([
      { scope: "customer_kb", title: "Newest", headings: [] },
      { scope: "customer_kb", title: "Apixaban", headings: ["Dose"] },
    ]);
  });

  it("lists nothing of other accounts and of the public knowledge base", async () => {
    const other = (await makeAccount()).ctx;
    expect(await listNewestOutlines(await toReaderContext(other), 5)).toEqual([]);
  });
});
