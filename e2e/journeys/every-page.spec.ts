import { globSync } from "node:fs";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { SETTINGS_PAGES } from "@/components/settings/pages";
import { expectNoFindings, expectNoFindingsExceptContrast } from "./axe";
import { newMember, visit } from "./member";
import { fillAccount } from "./still";

/** From a phone to a wide screen; 640 is a 1280 px window at 200% zoom. */
const WIDTHS = [375, 640, 768, 1440, 1920, 1280];
const ZOOMED = { width: 640, height: 400 };
const WINDOW = { width: 1280, height: 800 };
/** Wider than a phone. */
const LONG_EMAIL =
  "somebody.with.a.long.name.at.the.department.of.surgery@university-hospital.example.org";

/** Where each page of `app` opens without an account. The rest of the documentation is in docs.spec.ts. */
const PUBLIC: Record<string, string[]> = {
  "": ["/", "/no-such-page"],
  changelog: ["/changelog"],
  "confirm-email": ["/confirm-email"],
  docs: ["/docs"],
  "docs/[slug]": ["/docs/citations", "/docs/no-such-page"],
  "docs/api": ["/docs/api"],
  "docs/api/[resource]": ["/docs/api/chat"],
  "forgot-password": ["/forgot-password"],
  join: ["/join"],
  pricing: ["/pricing"],
  privacy: ["/privacy"],
  "reset-password": ["/reset-password"],
  "sign-in": ["/sign-in"],
  "sign-up": ["/sign-up"],
  "sources/[id]": [
    "/sources/doc_zh6up8o9cg13dqqiaaj73vsc9p?quote=824-934-feaa4fe1fc70",
    "/sources/doc_none",
  ],
  terms: ["/terms"],
  trust: ["/trust"],
};

/** Pages of an account in use, and what they show of a thing that doesn't exist. */
const CONSOLE: Record<string, (account: Account) => string[]> = {
  billing: () => ["/billing"],
  "billing/receipts/[reference]": ({ receipt }) => [receipt, "/billing/receipts/none"],
  "checkout/simulated/[id]": ({ checkout }) => [checkout],
  documents: () => ["/documents"],
  "documents/[id]": ({ document }) => [document, "/documents/doc_none"],
  keys: () => ["/keys"],
  "keys/[id]": ({ key }) => [key, "/keys/key_none"],
  overview: () => ["/overview"],
  playground: () => ["/playground"],
  presets: () => ["/presets"],
  "s/[token]": ({ shared }) => [shared, "/s/none"],
  "settings/[[...section]]": () => SETTINGS_PAGES.map(({ href }) => href),
  start: () => ["/start"],
  usage: () => ["/usage"],
  "usage/[id]": ({ request }) => [request, "/usage/req_none"],
};

type Account = Awaited<ReturnType<typeof openAccount>>;

async function openAccount(page: Page, context: BrowserContext) {
  await newMember(page);
  const { document, request } = await fillAccount(context);
  const get = async (path: string) => (await page.request.get(path)).json();
  const post = async (path: string, data: object) =>
    (await page.request.post(path, { data })).json();
  await post("/api/settings/sharing", { is_enabled: true });
  await post("/api/members/invitations", { email: LONG_EMAIL, role: "member" });
  const link = await post("/api/shared-links", { request_id: request.split("/").at(-1) });
  const opened = await post("/api/billing/checkout-sessions", { amount: 2500 });
  const ledger = await get("/api/billing/ledger?kind=payments");
  const { payment } = ledger.data.find((entry: { kind: string }) => entry.kind === "top_up");
  const keys = await get("/api/keys");
  return {
    document,
    request,
    shared: new URL(link.url).pathname,
    checkout: new URL(opened.url).pathname,
    receipt: `/billing/receipts/${payment}`,
    key: `/keys/${keys.data[0].id}`,
  };
}

/** The page fits every window, and axe finds nothing at 200% zoom. */
async function checkWindows(page: Page, path: string): Promise<void> {
  await visit(page, path);
  for (const width of WIDTHS) {
    await page.setViewportSize({ ...WINDOW, width });
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await expect.poll(overflow, `${path} at ${width} px`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(ZOOMED);
  await expectNoFindingsExceptContrast(page, `${path} at 200% zoom`);
  await page.setViewportSize(WINDOW);
}

test("names every page of the app", () => {
  const pages = globSync("app/**/page.tsx").map((file) =>
    file.replace(/^app\/|\([^)]+\)\/|\/?page\.tsx$/g, ""),
  );
  expect(pages.length).toBeGreaterThan(25);
  expect(Object.keys({ ...PUBLIC, ...CONSOLE }).toSorted()).toEqual(pages.toSorted());
});

test("public pages fit every window and have no axe violations, also at 200% zoom", async ({
  page,
  request,
}) => {
  test.slow();
  // docs.spec.ts checks the colors of every page of the sitemap.
  const sitemap = await (await request.get("/sitemap.xml")).text();
  for (const path of Object.values(PUBLIC).flat()) {
    await checkWindows(page, path);
    if (!sitemap.includes(`${path}</loc>`)) {
      await expectNoFindings(page, path);
    }
  }
});

// In parts that run beside each other.
for (const part of [0, 1]) {
  test(`an account's pages fit every window and have no axe violations, part ${part + 1} of 2`, async ({
    page,
    context,
  }) => {
    test.slow();
    const account = await openAccount(page, context);
    const paths = Object.values(CONSOLE).flatMap((pathsOf) => pathsOf(account));
    for (const path of paths.filter((_, index) => index % 2 === part)) {
      await checkWindows(page, path);
      await expectNoFindings(page, path);
    }
  });
}
