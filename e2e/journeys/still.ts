import { type BrowserContext, expect, type Page } from "@playwright/test";

/** Text that differs between runs and its replacement in screenshots, equally long so that the layout is the same. */
const REPLACEMENTS: [source: string, replacement: string][] = [
  ["([a-z]_|chatcmpl-)0[0-9a-z]{25,}", "$101abcdefghjkmnpqrstvwxyz0"],
  ["(footnote_(?:live|test)_…)\\w{4}", "$1a1B2"],
  ["localhost:\\d+", "localhost:3199"],
  ["[\\w.+-]+@example\\.org", "ada@example.org"],
  ["^\\d+(?:\\.\\d+)?[ \u00a0]m?s$", "12 ms"],
  ["^(95th percentile) .*$", "$1 51 ms"],
  ["^(\\d{1,2} [A-Z][a-z]{2,3} \\d{4}), \\d\\d:\\d\\d$", "$1, 09:15"],
  ["^(\\d{1,2} [A-Z][a-z]{2,3} \\d{4}), [\\d:]{8}", "$1, 09:15:00"],
  ["^(?:just now|Just now|\\d+ (?:second|minute)s? ago)$", "1 minute ago"],
];

/** Waits for fonts, data and charts, then replaces every time, id, duration and email on the page. */
export async function stabilize(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.evaluate(async (replacements) => {
    await document.fonts.ready;
    window.scrollTo(0, 0);
    // Charts resize with their containers a frame or two later.
    for (let frame = 0; frame < 3; frame += 1) {
      await new Promise(requestAnimationFrame);
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const before = text.nodeValue ?? "";
      const after = replacements.reduce(
        (words, [source, replacement]) => words.replace(new RegExp(source, "g"), replacement),
        before,
      );
      if (after !== before) {
        text.nodeValue = after;
      }
    }
    // The reported stages and their bars depend on measured durations.
    const isTime = (section: Element) => section.querySelector("h2")?.textContent === "Time";
    for (const section of [...document.querySelectorAll("section")].filter(isTime)) {
      section.style.cssText = "height: 14rem; overflow: hidden; visibility: hidden";
    }
  }, REPLACEMENTS);
}

const HANDBOOK =
  "# Ward handbook\n\n## Visiting hours\n\nVisitors are welcome from 14:00 to 19:00.\n\n## Night shift\n\nThe night shift of ward 7 begins at 21:30 with a handover at the desk.\n\n## Falls\n\nAfter every fall the physician on duty is called and the chart says when.\n";
const DOCUMENTS = {
  "handbook.md": HANDBOOK,
  "rota.csv": "day,nurse\nMonday,Amsler\nTuesday,Bodmer\nWednesday,Caduff\n",
  "blank.txt": "  \n\n  ",
};
const REQUESTS = [
  { path: "/v1/kb/search", data: { query: "metformin" } },
  { path: "/v1/chat/completions", data: { messages: [{ role: "user", content: "Good morning" }] } },
  { path: "/v1/kb/search", data: { query: "night shift" } },
];
const QUESTION = {
  messages: [{ role: "user", content: "What are the signs of a stroke?" }],
  citations: { enabled: true },
  store: true,
};

/** Paths of the created document and request. */
export interface Filled {
  document: string;
  request: string;
}

/** Adds a name, keys, documents, requests and a top-up to an account, through the console's and the public API. */
export async function fillAccount({ request }: BrowserContext): Promise<Filled> {
  const post = async (path: string, data: object, headers: Record<string, string> = {}) => {
    const answer = await request.post(path, { data, headers });
    expect(answer.ok(), `${path}: ${answer.status()}`).toBe(true);
    return answer;
  };
  await post("/api/settings/profile", { name: "Ada" });
  await post("/api/settings/account", { name: "Ward 7" });
  const key = { mode: "live", scopes: ["chat:completions", "kb:search"] };
  const knowledge_scopes = ["public_kb", "customer_kb"];
  await post("/api/keys", { ...key, name: "Night reports", mode: "test", knowledge_scopes });
  const created = await post("/api/keys", {
    ...{ ...key, name: "Intake assistant", knowledge_scopes },
    monthly_budget_usd: "50",
  });
  const headers = { authorization: `Bearer ${(await created.json()).secret}` };
  const document = await addDocuments(request);
  for (const { path, data } of REQUESTS) {
    await post(path, { ...(path.endsWith("completions") && MODEL), ...data }, headers);
  }
  const answer = await post("/v1/chat/completions", { ...MODEL, ...QUESTION }, headers);
  const checkout = await post("/api/billing/checkout-sessions", { amount: 2500 });
  const { pathname } = new URL((await checkout.json()).url);
  await post(`/api${pathname}`, { action: "pay" });
  await post("/api/overview/steps", { is_dismissed: true });
  return { document, request: `/usage/${answer.headers()["x-request-id"]}` };
}

const MODEL = { model: "footnote-extract-1" };

/** Uploads one at a time, so that the log lists them in this order. Returns the first one's path. */
async function addDocuments(request: BrowserContext["request"]): Promise<string> {
  const ids: string[] = [];
  for (const [name, text] of Object.entries(DOCUMENTS)) {
    const file = { name, mimeType: "application/octet-stream", buffer: Buffer.from(text) };
    const answer = await request.post("/api/documents", {
      multipart: { scope: "customer_kb", file },
    });
    expect(answer.status()).toBe(202);
    ids.push((await answer.json()).id);
    const isRead = async () => {
      const { data } = await (await request.get("/api/documents")).json();
      return /^(completed|failed)$/.test(data[0].status);
    };
    await expect.poll(isRead, { timeout: 20_000, intervals: [100] }).toBe(true);
  }
  return `/documents/${ids[0]}`;
}
