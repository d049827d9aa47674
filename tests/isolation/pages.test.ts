import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findStoredByRequest } from "@/lib/answers/chat/read/stored";
import { openLink } from "@/lib/answers/sharing/read";
import { newId } from "@/lib/id";
import { findQuoteLinker } from "@/lib/library/documents/quote-link";
import { toReaderContext } from "@/lib/library/documents/read/documents";
import { findJobOfRequest } from "@/lib/library/documents/read/jobs";
import { findOpenDocument } from "@/lib/library/documents/read/open";
import { findReceipt } from "@/lib/money/billing/read/receipt";
import { findKey } from "@/lib/money/keys/read";
import { findRequest } from "@/lib/money/usage/read/request";
import { closeAccount } from "@/lib/operations/accounts/write";
import type { MemberContext } from "@/lib/platform/auth/context";
import { db } from "@/lib/platform/db/client";
import { asTenant } from "@/lib/platform/db/tenant-context";
import { keyContext, makeAccount, makeKey } from "@/lib/testing/factories";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";
import { createFixture, type Fixture, fillTables, joinMember, textOf } from "./fixtures";

const sources = import.meta.glob<string>("../../app/**/page.tsx", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Only Next.js can render a page, so these tests call the function that reads its data. */
interface PageRow {
  verb: string;
  read: (ctx: MemberContext, id: string) => Promise<unknown>;
  idOf: (victim: Fixture) => Promise<string> | string;
  /** The id of a personal row, if the page can show one. */
  personal?: (victim: Fixture) => string;
}

/** For each page with an id in its path, one row per function that reads by this id. */
const PAGES: Record<string, PageRow[]> = {
  "(console)/usage/[id]": [
    { verb: "findRequest", read: findRequest, idOf: aRequest },
    { verb: "findStoredByRequest", read: findStoredByRequest, idOf: anAnswersRequest },
    {
      verb: "findJobOfRequest",
      read: async (ctx, id) => findJobOfRequest(await toReaderContext(ctx), id),
      idOf: anUpload,
    },
  ],
  "(console)/keys/[id]": [
    {
      verb: "findKey",
      read: findKey,
      idOf: ({ ids }) => ids.key,
      personal: ({ personal }) => personal.key,
    },
  ],
  "(console)/documents/[id]": [
    {
      verb: "findOpenDocument",
      read: async (ctx, id) => findOpenDocument(await toReaderContext(ctx), id),
      idOf: ({ ids }) => ids.document,
      personal: ({ personal }) => personal.document,
    },
  ],
  "(checkout)/billing/receipts/[reference]": [
    { verb: "findReceipt", read: findReceipt, idOf: aPayment },
  ],
};

/** Public pages, by route group, and the reason. */
const PUBLIC: Record<string, string> = {
  "(account)": "sign-in and sign-up",
  "(site)": "the site and its documentation",
  "(checkout)/checkout/simulated/[id]":
    "a payer doesn't have to be a member, as with a real provider",
};

const pages = Object.entries(sources).map(([file, text]) => ({
  page: file.replace(/^(\.\.\/)+app\/|\/page\.tsx$/g, ""),
  text,
}));
const gated = pages.filter(
  ({ page }) => !Object.keys(PUBLIC).some((start) => page.startsWith(start)),
);
const rows = Object.entries(PAGES).flatMap(([page, verbs]) =>
  verbs.map(({ read, ...row }) => ({
    page,
    ...row,
    // Like requireMember, which runs the rest of the page as the member's account.
    read: (ctx: MemberContext, id: string) => asTenant(ctx.account.id, () => read(ctx, id)),
  })),
);

let victim: Fixture;
let attacker: MemberContext;
let colleague: MemberContext;

beforeAll(async () => {
  await startBackgroundWork();
  victim = await createFixture();
  await stopBackgroundWork();
  await fillTables(victim);
  attacker = (await makeAccount()).ctx;
  const { id } = await joinMember(victim.id);
  colleague = { ...victim.ctx, actor: { ...victim.ctx.actor, id } };
});
afterAll(() => closeAccount(victim.ctx, { confirmation: victim.secret }));

async function aRequest({ id: accountId }: Fixture): Promise<string> {
  return (await db().usageRecord.findFirstOrThrow({ where: { accountId } })).id;
}

async function anAnswersRequest({ ids }: Fixture): Promise<string> {
  const where = { id: ids.completion };
  return (await db().storedCompletion.findFirstOrThrow({ where })).requestId;
}

async function anUpload({ id: accountId }: Fixture): Promise<string> {
  const where = { accountId, collectionId: `customer_kb:${accountId}`, holdId: { not: null } };
  return (await db().job.findFirstOrThrow({ where })).holdId ?? "";
}

async function aPayment({ id: accountId }: Fixture): Promise<string> {
  return (await db().payment.findFirstOrThrow({ where: { accountId } })).reference;
}

describe("the console's pages", () => {
  it("include every page that PAGES lists", () => {
    expect(gated.map(({ page }) => page)).toEqual(expect.arrayContaining(Object.keys(PAGES)));
  });

  it.each(gated)("$page requires a member, and has a row if its path has an id", (each) => {
    expect(each.text.includes("await requireMember("), "call requireMember first").toBe(true);
    const verbs = PAGES[each.page]?.map(({ verb }) => verb) ?? [];
    // An optional catch-all names one of a few pages.
    const hasId = each.page.replace(/\[\[\.{3}\w+\]\]/, "").includes("[");
    expect(verbs.length > 0, "add a row to PAGES for each function that reads by the id").toBe(
      hasId,
    );
    expect(verbs.filter((verb) => !each.text.includes(`${verb}(`))).toEqual([]);
  });

  it.each(rows)("$page hides another account's row in $verb", async ({ read, idOf }) => {
    const id = await idOf(victim);
    expect(await read(victim.ctx, id)).not.toBeNull();
    expect(await read(attacker, id)).toBeNull();
    expect(await read(attacker, newId("request"))).toBeNull();
  });

  it.each(rows.filter(({ personal }) => personal))(
    "$page hides another member's personal row in $verb",
    async ({ read, personal }) => {
      const id = personal?.(victim) ?? "";
      expect(await read(victim.ctx, id)).not.toBeNull();
      expect(await read(colleague, id)).toBeNull();
    },
  );

  it("show that another member's answer exists, but not its content", async () => {
    const where = { id: victim.personal.completion };
    const { requestId } = await db().storedCompletion.findFirstOrThrow({ where });
    expect(await findStoredByRequest(victim.ctx, requestId)).toMatchObject({ access: "shown" });
    const hidden = await findStoredByRequest(colleague, requestId);
    expect(hidden).toMatchObject({ access: "hidden" });
    expect(JSON.stringify(hidden)).not.toContain(victim.secret);
  });
});

describe("a link to a quote", () => {
  async function open({ ctx, keyId }: { ctx: MemberContext; keyId: string }, documentId: string) {
    const text = textOf(victim.secret);
    const linkOf = await findQuoteLinker(keyContext(ctx, { id: keyId }));
    const link = linkOf?.(documentId, { text, start: 0, end: text.length });
    return openLink(link?.split("/s/")[1] ?? "");
  }

  it("shows what its key may read, and no other account's or person's document", async () => {
    const { ids, personal, ctx } = victim;
    const company = { ctx, keyId: ids.key };
    const owner = { ctx, keyId: personal.key };
    const where = { id: attacker.account.id };
    await db().account.update({ where, data: { sharingEnabled: true } });
    const outsider = { ctx: attacker, keyId: (await makeKey(attacker)).id };
    expect(await open(company, ids.document)).toMatchObject({ document: { id: ids.document } });
    expect(await open(owner, personal.document)).toMatchObject({
      document: { id: personal.document },
    });
    for (const [signer, id] of [
      [company, personal.document],
      [owner, ids.document],
      [outsider, ids.document],
      [outsider, personal.document],
    ] as const) {
      expect(await open(signer, id)).toBeNull();
    }
  });
});
