import { writeFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { pdfPage } from "@/lib/testing/pdf-files";
import { expectNoFindings } from "./axe";
import {
  breakReads,
  chooseOption,
  comeBackLater,
  newMember,
  reload,
  tryAgain,
  untilInteractive,
  untilShown,
} from "./member";

const CLINIC =
  "# Zebrafish clinic\n\nWelcome to the clinic.\n\n## Opening hours\n\nThe zebrafish clinic opens at 07:45 on Tuesdays.\n";
const SIX = [
  file("clinic.md", CLINIC),
  file("rota.csv", "day,nurse\nMonday,Amsler\nTuesday,Bodmer\n"),
  file("night.txt", "The night shift of ward 7 begins at 21:30."),
  file(
    "page.html",
    "<html><body><article><h1>Tea</h1><p>Tea is at four.</p></article></body></html>",
  ),
  { ...file("scan.png", ""), buffer: Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13]) },
  file("blank.txt", "  \n\n  "),
];

function file(name: string, text: string) {
  return { name, mimeType: "application/octet-stream", buffer: Buffer.from(text) };
}

async function openDocuments(page: Page): Promise<void> {
  await page.goto("/documents");
  await untilInteractive(page);
}

/** Chooses files with the button, as a user would. */
async function choose(page: Page, files: ReturnType<typeof file>[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose files" }).click();
  await (await chooser).setFiles(files);
}

function upload(page: Page, name: string) {
  return page.getByRole("list", { name: "Files" }).getByRole("listitem").filter({ hasText: name });
}

function row(page: Page, title: string) {
  return page
    .getByRole("list", { name: "Documents" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("link", { name: title, exact: true }) });
}

async function chooseAction(page: Page, title: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${title}`, exact: true }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

/** The highlighted quotes in the text. */
function quoted(page: Page) {
  return page.locator("mark");
}

/** Uploads through the console's API, for journeys that don't test the upload. Returns the ids. */
async function addDocuments(page: Page, texts: Record<string, string>): Promise<string[]> {
  const ids: string[] = [];
  for (const [name, text] of Object.entries(texts)) {
    const response = await page.request.post("/api/documents", {
      multipart: { scope: "customer_kb", file: file(name, text) },
    });
    expect(response.status()).toBe(202);
    ids.push((await response.json()).id);
  }
  return ids;
}

async function untilReady(page: Page, title: string): Promise<void> {
  await expect(row(page, title)).toContainText("Ready", { timeout: 20_000 });
}

test("uploads six files, explains why two fail, and opens one that is ready", {
  tag: "@main",
}, async ({ page }) => {
  await newMember(page);
  await openDocuments(page);
  await expect(page.getByRole("heading", { name: "No documents yet" })).toBeVisible();
  await choose(page, SIX);
  await expect(page.getByRole("heading", { name: "No documents yet" })).toBeHidden();
  // Each file is in one list: first among the uploads, then among the documents.
  for (const name of ["clinic.md", "rota.csv", "night.txt", "page.html"]) {
    await expect(
      page.getByRole("list", { name: "Documents" }).getByRole("listitem").filter({ hasText: name }),
    ).toContainText("Ready", { timeout: 20_000 });
    await expect(upload(page, name)).toHaveCount(0);
  }
  await expect(upload(page, "scan.png")).toContainText("format is not supported");
  await expect(upload(page, "blank.txt")).toContainText("has no text");
  await expect(row(page, "scan")).toHaveCount(0);
  await expect(page.getByText("6 of 6 files uploaded, 4 ready")).toBeVisible();

  await upload(page, "blank.txt").getByRole("button", { name: "Try again" }).click();
  await expect(upload(page, "blank.txt")).toContainText("has no text", { timeout: 20_000 });
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByRole("list", { name: "Files" })).toHaveCount(0);
  await untilReady(page, "Zebrafish clinic");
  await expect(row(page, "scan")).toContainText("Failed");
  await expect(page.getByText("6 documents", { exact: true })).toBeVisible();

  await chooseOption(page, /^Status/, "Failed");
  await expect(page.getByText("2 documents", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/status=failed/);
  await page.getByLabel("Title").fill("no such title");
  await expect(page.getByRole("heading", { name: "No matching documents" })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: /^No documents$/ })).toHaveCount(1);
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await expect(page.getByText("6 documents", { exact: true })).toBeVisible();

  await page.getByRole("link", { name: "Zebrafish clinic" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Zebrafish clinic" })).toBeVisible();
  await expect(page.getByText("2 passages")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Opening hours" })).toBeVisible();
  await page.getByText("Passage #2").click();
  await expect(page.getByText("Zebrafish clinic › Opening hours")).toBeVisible();
});

test("shows one progress that never falls for each of 20 files dropped at once", async ({
  page,
}) => {
  await newMember(page);
  await openDocuments(page);
  const names = Array.from({ length: 20 }, (_, at) => `report ${String(at + 1).padStart(2, "0")}`);
  await page.evaluate(recordProgress);
  const dropped = await page.evaluateHandle((titles) => {
    const transfer = new DataTransfer();
    for (const [at, title] of titles.entries()) {
      const line = `The ${title} is about ward ${at}, and about nothing else.`;
      const text = Array.from({ length: 40 * (at + 1) }, () => line).join("\n\n");
      transfer.items.add(new File([text], `${title}.txt`));
    }
    return transfer;
  }, names);
  for (const type of ["dragenter", "dragover", "drop"]) {
    await page
      .getByRole("region", { name: "Upload" })
      .dispatchEvent(type, { dataTransfer: dropped });
  }
  await expect(page.getByText("20 of 20 files uploaded, 20 ready")).toBeVisible({
    timeout: 45_000,
  });
  const seen = await page.evaluate(
    () => Reflect.get(window, "progress") as Record<string, number[][]>,
  );
  const byName = Object.entries(seen);
  expect(byName.map(([name]) => name).sort()).toEqual(names);
  for (const [name, moments] of byName) {
    expect([name, moments.filter((parts) => parts.length > 1)]).toEqual([name, []]);
    const parts = moments.flat();
    expect([name, parts]).toEqual([name, parts.toSorted((one, other) => one - other)]);
  }
});

/** Collects the values of all progress bars by the name of their file, each time the page changes. */
function recordProgress(): void {
  const progress: Record<string, number[][]> = {};
  Reflect.set(window, "progress", progress);
  new MutationObserver(() => {
    const now: Record<string, number[]> = {};
    for (const bar of document.querySelectorAll("progress")) {
      const name = (bar.getAttribute("aria-label") ?? "").replace(/(?:\.txt)?:.*/, "");
      now[name] = [...(now[name] ?? []), bar.value];
    }
    for (const [name, parts] of Object.entries(now)) {
      progress[name] = [...(progress[name] ?? []), parts];
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}

test("uploads a dropped file to the personal knowledge base for its owner only", async ({
  page,
  browser,
}) => {
  await newMember(page);
  await openDocuments(page);
  await chooseOption(page, /^Who can read/, "Personal: only me");
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["The fox came at dawn."], "diary.txt"));
    return transfer;
  });
  for (const type of ["dragenter", "dragover", "drop"]) {
    await page
      .getByRole("region", { name: "Upload" })
      .dispatchEvent(type, { dataTransfer: dropped });
  }
  await untilReady(page, "diary");
  await expect(row(page, "diary")).toContainText("Personal");
  await row(page, "diary").getByRole("link").click();
  await expect(page.getByText("The fox came at dawn.")).toBeVisible();

  const stranger = await browser.newContext();
  const other = await stranger.newPage();
  await newMember(other);
  const response = await other.goto(page.url());
  expect(response?.status()).toBe(404);
  await expect(other.getByRole("heading", { name: "Document not found" })).toBeVisible();
  expect(await other.content()).not.toContain("fox");
  await other.goto("/documents/doc_none?quote=1-2-0123456789ab");
  await expect(other.getByRole("heading", { name: "Document not found" })).toBeVisible();
  await stranger.close();
});

test("explains why search found a passage and opens the document at the quote", {
  tag: "@main",
}, async ({ page }) => {
  await newMember(page);
  const [id] = await addDocuments(page, { "clinic.md": CLINIC });
  await openDocuments(page);
  await untilReady(page, "Zebrafish clinic");
  await page.getByRole("tab", { name: "Search" }).click();
  await chooseOption(page, /^Search in/, "Account only");
  await page.getByLabel("Query").fill("zebrafish opening");
  await page.getByLabel("Query").press("Enter");
  const hit = page
    .getByRole("region", { name: "Results" })
    .getByRole("listitem")
    .filter({ hasText: "07:45" });
  await expect(hit).toContainText("Rank 1");
  await expect(hit).toContainText("BM25");
  await expect(hit).not.toContainText("Semantic");
  await expect(hit.locator("mark").first()).toHaveText(/zebrafish/i);
  await expect(page.getByText("Charged $0.0005.")).toBeVisible();

  await page.getByRole("button", { name: "Add condition" }).click();
  const attribute = page.getByRole("group", { name: "Condition 1" }).getByLabel("Attribute");
  await expect(attribute).toBeFocused();
  await attribute.fill("Title");
  await page.getByLabel("Value").fill("Zebrafish clinic");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(attribute).toHaveAttribute("aria-invalid", "true");
  await expect(attribute).toHaveAccessibleDescription(/has an attribute 'Title'/);
  await expectNoFindings(page, "a refused condition");
  await attribute.fill("title");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(hit).toContainText("Rank 1");
  await page.getByRole("button", { name: "Remove condition 1" }).click();
  await expect(attribute).toHaveCount(0);

  await page.getByLabel(/Minimum similarity/).fill("1");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await expect(
    page.getByRole("heading", { name: /^Below your minimum: \d passages?/ }),
  ).toBeVisible();
  await expect(
    page.getByRole("list", { name: "Below your minimum" }).getByRole("link").first(),
  ).toHaveText("Zebrafish clinic");
  await page.getByRole("button", { name: /^Lower the minimum to/ }).click();

  await hit.getByRole("link").click();
  await expect(page).toHaveURL(/\/documents\/doc_\w+\?quote=\d+-\d+-[0-9a-f]{12}$/);
  const words = quoted(page);
  await expect(words).toHaveText("The zebrafish clinic opens at 07:45 on Tuesdays.");
  await expect(words).toBeInViewport();
  await expect(words).toBeFocused();
  await expect(page.getByText("under “Zebrafish clinic › Opening hours”")).toBeVisible();
  const permalink = page.url();

  await page.goto(permalink.replace(/[0-9a-f]{12}$/, "0123456789ab"));
  await expect(page.getByText("no longer contains this quote")).toBeVisible();
  await expect(quoted(page)).toHaveCount(0);
  await page.goto(`/documents/${id}?quote=nonsense`);
  await expect(page.getByText("doesn’t point to a quote")).toBeVisible();

  await untilInteractive(page);
  await page.getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete “Zebrafish clinic”?" });
  await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
  await question.getByRole("button", { name: "Delete document" }).click();
  await expect(page).toHaveURL(/\/documents$/);
  await expect(page.getByText("“Zebrafish clinic” deleted")).toBeVisible();
  await page.goto(permalink);
  await expect(page.getByRole("heading", { name: "This document was deleted" })).toBeVisible();
  expect(await page.content()).not.toContain("07:45");
});

test("opens a public document without offering to delete it", async ({ page }) => {
  await newMember(page);
  await openDocuments(page);
  await page.getByRole("tab", { name: "Search" }).click();
  await page.getByLabel("Query").fill("How is warfarin monitored?");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("link", { name: "Warfarin" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Warfarin" })).toBeVisible();
  await expect(quoted(page).first()).toBeInViewport();
  await expect(page.getByText("Everyone. Curated by this service")).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0);
});

test("deletes a document by keyboard without losing focus", async ({ page }) => {
  await newMember(page);
  await addDocuments(page, { "a.txt": "First of all.", "b.txt": "Second to none." });
  await openDocuments(page);
  await untilReady(page, "b");
  const actions = page.getByRole("button", { name: "Actions for b", exact: true });
  const remove = async () => {
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menuitem", { name: "Vector stores…" })).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("menuitem", { name: "Delete…" })).toBeFocused();
    await page.keyboard.press("Enter");
  };
  await actions.focus();
  await remove();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(actions).toBeFocused();
  await remove();
  await expect(page.getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(row(page, "b")).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Your documents" })).toBeFocused();
  await expect(row(page, "a")).toBeVisible();
});

test("groups documents into vector stores and uploads into one", async ({ page }) => {
  await newMember(page);
  await addDocuments(page, { "a.txt": "First of all.", "b.txt": "Second to none." });
  await openDocuments(page);
  await untilReady(page, "a");
  const stores = page.getByRole("navigation", { name: "Vector stores" });
  const dialog = page.getByRole("dialog");
  await stores.getByRole("button", { name: "New store" }).click();
  await dialog.getByLabel("Name").fill("Handbooks");
  await expectNoFindings(page, "a new store");
  await dialog.getByRole("button", { name: "Create store" }).click();
  await expect(page).toHaveURL(/store=vs_/);
  await expect(page.getByRole("heading", { name: "No documents in this store" })).toBeVisible();
  await choose(page, [file("clinic.md", CLINIC)]);
  await untilReady(page, "Zebrafish clinic");
  await expect(row(page, "a")).toHaveCount(0);
  await expectNoFindings(page, "a store");

  await stores.getByRole("button", { name: /^All documents/ }).click();
  await chooseAction(page, "a", "Vector stores…");
  await dialog.getByLabel("Handbooks").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(stores.getByRole("button", { name: /^Handbooks/ })).toContainText("2");
  await page.getByRole("checkbox", { name: "Select all loaded documents" }).check();
  await page.getByRole("button", { name: "Vector stores", exact: true }).click();
  await expect(dialog).toContainText("2 of 3 are in it");
  await expectNoFindings(page, "stores of a selection");
  await dialog.getByLabel("Handbooks").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(stores.getByRole("button", { name: /^Handbooks/ })).toContainText("3");

  await row(page, "b").getByRole("link").click();
  const shown = page.getByRole("region", { name: "Vector stores" });
  await expect(shown.getByRole("link", { name: "Handbooks" })).toBeVisible();
  await shown.getByRole("button", { name: "Change stores" }).click();
  await dialog.getByLabel("Handbooks").uncheck();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(shown).toContainText("In none");

  await openDocuments(page);
  await stores.getByRole("button", { name: /^Handbooks/ }).click();
  await expect(row(page, "a")).toBeVisible();
  await expect(row(page, "b")).toHaveCount(0);
  await page.getByRole("button", { name: "Rename" }).click();
  await dialog.getByLabel("Name").fill("Manuals");
  await dialog.getByRole("button", { name: "Rename" }).click();
  await expect(stores.getByRole("button", { name: /^Manuals/ })).toContainText("2");
  await page.getByRole("button", { name: "Delete store" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete store" }).click();
  await expect(stores.getByRole("button", { name: /^Manuals/ })).toHaveCount(0);
  await expect(page.getByText("3 documents", { exact: true })).toBeVisible();
});

test("marks the quoted words on the page of a PDF, on paper too", async ({ page }) => {
  await newMember(page);
  const bytes = await pdfPage((sheet, { plain }) =>
    sheet.drawText("The zebrafish clinic opens at 07:45.", {
      x: 60,
      y: 700,
      size: 14,
      font: plain,
    }),
  );
  const response = await page.request.post("/api/documents", {
    multipart: {
      scope: "customer_kb",
      title: "Zebrafish clinic",
      file: { name: "clinic.pdf", mimeType: "application/pdf", buffer: Buffer.from(bytes) },
    },
  });
  expect(response.status()).toBe(202);
  await openDocuments(page);
  await untilReady(page, "Zebrafish clinic");
  await page.getByRole("tab", { name: "Search" }).click();
  await page.getByLabel("Query").fill("When does the zebrafish clinic open?");
  await page.getByLabel("Query").press("Enter");
  await page.getByRole("region", { name: "Results" }).getByRole("link").first().click();
  const shown = page.getByRole("region", { name: /^Page 1 of 1/ });
  const mark = shown.locator("mark");
  // A class without a color would leave it transparent.
  await expect(mark).not.toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  const [words, image] = [await mark.boundingBox(), await shown.getByRole("img").boundingBox()];
  const above = ((words?.y ?? 0) - (image?.y ?? 0)) / (image?.height ?? 1);
  expect(above).toBeGreaterThan(0.1);
  expect(above).toBeLessThan(0.25);
  await page.emulateMedia({ media: "print" });
  await expect(mark).toHaveCSS("print-color-adjust", "exact");
  // In CSS pixels: less than A4 with its margins and the lines above the page.
  expect((await shown.boundingBox())?.height).toBeLessThan(960);
});

test("opens a long text in the middle and loads more in both directions", async ({ page }) => {
  await newMember(page);
  const lines = Array.from({ length: 4000 }, (_, at) => `Line ${at} is about the ward.`);
  lines[2000] = "Line 2000 is about the spare battery of the defibrillator in the corridor.";
  const query = "Where is the spare battery of the corridor's defibrillator?";
  const [id] = await addDocuments(page, { "long.md": `# Long\n\n${lines.join("\n\n")}` });
  await openDocuments(page);
  await untilReady(page, "Long");
  const answer = await page.request.post("/api/documents/search", {
    data: { preset: "company", query, sources: ["customer_kb"], min_score: 0 },
  });
  const { text, metadata } = (await answer.json()).data[0];
  const place = Number(/Line (\d+)/.exec(text)?.[1]);
  const whole = await page.request.get(`/api/documents/${id}/text?around=${metadata.char_start}`);
  expect((await whole.json()).length).toBeGreaterThan(100_000);
  await page.getByRole("tab", { name: "Search" }).click();
  await page.getByLabel("Query").fill(query);
  await chooseOption(page, /^Search in/, "Account only");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("region", { name: "Results" }).getByRole("link").first().click();
  const words = quoted(page).first();
  await expect(words).toContainText(`Line ${place} is`);
  await expect(words).toBeInViewport();

  const before = page.getByText("Line 0 is about the ward.", { exact: true });
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect(before).toBeVisible({ timeout: 500 });
  }).toPass();
  const after = page.getByText("Line 3999 is about the ward.", { exact: true });
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(after).toBeVisible({ timeout: 500 });
  }).toPass();
});

test("selects documents to mark, sort and delete them together, and edits one", async ({
  page,
}) => {
  await newMember(page);
  await addDocuments(page, { "a.txt": "First of all.", "b.txt": "Second.", "c.txt": "Third." });
  await openDocuments(page);
  for (const name of ["a", "b", "c"]) {
    await untilReady(page, name);
  }
  await page.getByRole("checkbox", { name: "Select a", exact: true }).check();
  await page.getByRole("checkbox", { name: "Select b", exact: true }).check();
  const bar = page.getByRole("region", { name: "Selected documents" });
  await expect(bar).toContainText("2 documents selected");
  await expectNoFindings(page, "with a selection");
  await chooseOption(page, /^Mark as/, "Superseded");
  await expect(page.getByText("2 documents changed")).toBeVisible();
  await expect(row(page, "a")).toContainText("Superseded");
  await expect(bar).toBeHidden();

  await page.getByRole("checkbox", { name: "Select all loaded documents" }).check();
  await bar.getByRole("button", { name: "Source type" }).click();
  await page.getByRole("dialog").getByLabel("Source type").fill("guideline");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(row(page, "c")).toContainText("guideline");

  await page.getByRole("checkbox", { name: "Select all loaded documents" }).check();
  await bar.getByRole("button", { name: "Attributes" }).click();
  const set = page.getByRole("dialog", { name: "Attributes of 3 documents" });
  await set.getByLabel("Name").fill("team");
  await set.getByRole("button", { name: "Save" }).click();
  await expect(set.getByText("Enter a value.")).toBeVisible();
  await expectNoFindings(page, "the form of attributes");
  await set.getByLabel("Value").fill("legal");
  await set.getByRole("button", { name: "Save" }).click();
  await expect(set).toBeHidden();
  // The notice about their source type may still be there.
  await expect(page.getByText("3 documents changed").last()).toBeVisible();

  await page.getByRole("checkbox", { name: "Select b", exact: true }).check();
  await page.getByRole("checkbox", { name: "Select c", exact: true }).check();
  await bar.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete 2 documents" }).click();
  await expect(row(page, "b")).toHaveCount(0);
  await expect(row(page, "a")).toBeVisible();

  await page.getByRole("link", { name: "a", exact: true }).click();
  await page.getByRole("button", { name: "Edit" }).click();
  const form = page.getByRole("dialog", { name: "Edit document" });
  await form.getByLabel("Title").fill("Ward rules");
  await form.getByLabel("Metadata").fill("[1]");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByText("Write a JSON object")).toBeVisible();
  await expectNoFindings(page, "the form of a document");
  await form.getByLabel("Metadata").fill('{"ward": "7"}');
  await chooseOption(page, "Standing", "Current");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Ward rules" })).toBeVisible();
  await expect(page.getByRole("article")).not.toContainText("Superseded");

  // The form replaced the metadata.
  const attributes = page.getByRole("region", { name: "Attributes" });
  const chips = attributes.getByRole("button", { name: /^Change/ });
  await expect(chips).toHaveText(['ward: "7"']);
  await attributes.getByRole("button", { name: "Add attribute" }).click();
  const one = page.getByRole("dialog");
  await one.getByLabel("Name").fill("year");
  await one.getByLabel("Value").fill("2025");
  await one.getByRole("button", { name: "Save" }).click();
  await attributes.getByRole("button", { name: "Change year: 2025" }).click();
  await one.getByLabel("Value").fill("2026");
  await one.getByRole("button", { name: "Save" }).click();
  await expect(attributes.getByRole("button", { name: "Change year: 2026" })).toBeVisible();
  await expectNoFindings(page, "the attributes of a document");
  await attributes.getByRole("button", { name: "Change ward" }).click();
  await one.getByRole("checkbox", { name: "Remove this attribute" }).check();
  await one.getByRole("button", { name: "Save" }).click();
  await expect(chips).toHaveText(["year: 2026"]);
  await expect(attributes.getByRole("button", { name: "Add attribute" })).toBeFocused();
});

test("loads a long list while scrolling and renders only the visible rows", async ({ page }) => {
  test.slow();
  await newMember(page);
  const texts = Array.from({ length: 130 }, (_, at) => [`note ${at}.txt`, `Note number ${at}.`]);
  await addDocuments(page, Object.fromEntries(texts));
  await openDocuments(page);
  await expect(page.getByText("Showing 50 documents")).toBeVisible();
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(row(page, "note 0")).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(page.getByText("130 documents", { exact: true })).toBeVisible();
  const rows = page.getByRole("list", { name: "Documents" }).getByRole("listitem");
  expect(await rows.count()).toBeLessThan(100);
});

test("still shows the last list, with a notice, when refreshing fails, then recovers", async ({
  page,
}) => {
  await page.clock.install();
  await newMember(page);
  await addDocuments(page, { "kept.txt": "It is kept." });
  await openDocuments(page);
  await expect(row(page, "kept")).toBeVisible();
  const restore = await breakReads(page, /\/api\/documents(\?|$)/);
  await comeBackLater(page);
  const failure = page.getByRole("alert").filter({ hasText: "This list may be out of date." });
  await untilShown(page, failure);
  await expect(row(page, "kept")).toBeVisible();
  await restore();
  await tryAgain(failure);
});

test("waits out a lost connection, and cancels an upload in progress", async ({ page }) => {
  await newMember(page);
  await openDocuments(page);
  await page.route("**/api/documents", (route) => route.abort());
  await choose(page, [file("note.txt", "A note.")]);
  await expect(upload(page, "note.txt")).toContainText("Connection lost");
  await page.unroute("**/api/documents");
  await untilReady(page, "note");
  await page.route("**/api/documents", () => {
    // Never respond, so that the upload stays in progress.
  });
  await choose(page, [file("other.txt", "Another note.")]);
  await upload(page, "other.txt").getByRole("button", { name: "Cancel" }).click();
  await expect(upload(page, "other.txt")).toContainText("Canceled");
  await page.unroute("**/api/documents");
  await upload(page, "other.txt").getByRole("button", { name: "Try again" }).click();
  await untilReady(page, "other");
});

test("continues a large upload where it was, after a reload", async ({ page }, info) => {
  test.slow();
  // Three parts of 4 MB at most.
  const path = info.outputPath("large.html");
  const hidden = "0123456789abcdef".repeat(9 * 64 * 1024);
  await writeFile(path, `<html><body><p>The ward is large.</p><!-- ${hidden} --></body></html>`);
  const chooseFile = async () => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose files" }).click();
    await (await chooser).setFiles(path);
  };
  let parts = 0;
  let isOnline = false;
  await page.route("**/api/uploads/*/parts", (route) => {
    parts += 1;
    return isOnline || parts === 1 ? route.continue() : route.abort();
  });
  page.on("dialog", (dialog) => dialog.accept());
  await newMember(page);
  await openDocuments(page);
  await chooseFile();
  await expect(upload(page, "large.html")).toContainText("Connection lost");
  await reload(page);
  const notice = page.getByRole("region", { name: "Interrupted uploads" });
  await expect(notice).toContainText("44% uploaded");
  await expectNoFindings(page, "an interrupted upload");
  isOnline = true;
  parts = 0;
  await chooseFile();
  const listed = page.getByRole("list", { name: "Documents" }).getByRole("listitem");
  await expect(listed.filter({ hasText: "large.html" })).toContainText("Ready", {
    timeout: 30_000,
  });
  expect(parts).toBe(2);
  await expect(notice).toBeHidden();
});

test("replaces a document, keeps its links, and asks about it alone", async ({ page }) => {
  test.slow();
  await newMember(page);
  const [id] = await addDocuments(page, {
    "clinic.md": CLINIC,
    "other.md": "# Tea\n\nTea is at 4.",
  });
  await openDocuments(page);
  await untilReady(page, "Zebrafish clinic");
  await page.goto(`/documents/${id}`);
  await untilInteractive(page);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Replace" }).click();
  await (await chooser).setFiles([file("clinic-2.md", CLINIC.replace("07:45", "09:15"))]);
  await expect(page.getByText("opens at 09:15")).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText("clinic-2.md")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/documents/${id}$`));

  await page.getByRole("link", { name: "Ask this document" }).click();
  await expect(page.getByText("Only Zebrafish clinic is searched")).toBeVisible();
  await untilInteractive(page);
  await page.getByLabel("Message", { exact: true }).fill("When is tea?");
  const asked = page.waitForRequest("**/api/playground/chat");
  await page.getByRole("button", { name: "Send" }).click();
  expect((await asked).postDataJSON().citations.document_ids).toEqual([id]);
  await page.getByRole("button", { name: "Search all documents" }).click();
  await expect(page.getByText("Only Zebrafish clinic is searched")).toBeHidden();
});

test("@phone uploads, reads and deletes documents on a phone without horizontal overflow", async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 812 });
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  await newMember(page);
  await openDocuments(page);
  expect(await fits(), "empty").toBe(true);
  const long = `${"averylongwordthatnobodybreaks".repeat(4)}.md`;
  await choose(page, [file(long, CLINIC), file("blank.txt", " ")]);
  await untilReady(page, "Zebrafish clinic");
  await expect(upload(page, "blank.txt")).toContainText("Failed", { timeout: 20_000 });
  expect(await fits(), "uploads").toBe(true);
  // A problem has the width of the row, not what the buttons leave of it.
  const problem = await upload(page, "blank.txt").getByText("has no text").boundingBox();
  expect(problem?.width).toBeGreaterThan(200);
  await page.getByRole("tab", { name: "Search" }).click();
  await page.getByLabel("Query").fill("zebrafish opening");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  const link = page.getByRole("link", { name: "Zebrafish clinic" }).first();
  await expect(link).toBeVisible();
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByLabel("Attribute").fill("averylongwordthatnobodybreaks".repeat(3));
  await page.getByLabel("Value").fill("x");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(page.getByLabel("Attribute")).toHaveAttribute("aria-invalid", "true");
  expect(await fits(), "refused").toBe(true);
  await page.getByRole("button", { name: "Remove condition 1" }).click();
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(link).toBeVisible();
  expect(await fits(), "search").toBe(true);
  await link.click();
  await expect(quoted(page).first()).toBeInViewport();
  expect(await fits(), "document").toBe(true);
  await untilInteractive(page);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete document" }).click();
  await expect(page).toHaveURL(/\/documents$/);
  await expect(upload(page, "blank.txt")).toBeVisible();
});

test.describe("@phone axe reports no violations", () => {
  test("on the documents page: empty, uploading, filled, with a dialog, searching, failing", async ({
    page,
  }) => {
    test.slow();
    await page.clock.install();
    await newMember(page);
    await openDocuments(page);
    await expectNoFindings(page, "empty");
    await choose(page, [file("clinic.md", CLINIC), file("blank.txt", " ")]);
    await expectNoFindings(page, "uploading");
    await untilShown(page, upload(page, "blank.txt").getByText("Failed"));
    await untilShown(page, row(page, "Zebrafish clinic"));
    await expectNoFindings(page, "filled");
    await chooseAction(page, "Zebrafish clinic", "Delete…");
    await expect(page.getByRole("alertdialog")).toBeVisible();
    await expectNoFindings(page, "asking");
    await page.keyboard.press("Escape");
    await chooseOption(page, /^Type/, "PDF");
    await untilShown(page, page.getByRole("heading", { name: "No matching documents" }));
    await expectNoFindings(page, "nothing matches");
    await page.getByRole("button", { name: "Clear filters" }).first().click();

    await page.getByRole("tab", { name: "Search" }).click();
    await expectNoFindings(page, "search, not asked");
    await page.getByLabel("Query").fill("zebrafish");
    await page.getByLabel("Query").press("Enter");
    await untilShown(page, page.getByText("Charged $0.0005."));
    await expectNoFindings(page, "found");
    await page.getByLabel(/Minimum similarity/).fill("1");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await untilShown(page, page.getByRole("heading", { name: "No results" }));
    await expectNoFindings(page, "cut");
    await page.route("**/api/documents/search", (route) => route.abort());
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await untilShown(page, page.getByRole("heading", { name: "Search failed" }));
    await expectNoFindings(page, "search failed");

    await page.getByRole("tab", { name: "Documents" }).click();
    await breakReads(page, /\/api\/documents(\?|$)/);
    await comeBackLater(page);
    await untilShown(page, page.getByText("This list may be out of date."));
    await expectNoFindings(page, "failed");
  });

  test("on a document: read, quoted, failed, deleted, missing", async ({ page }) => {
    await newMember(page);
    const [id] = await addDocuments(page, { "clinic.md": CLINIC, "blank.txt": " " });
    await openDocuments(page);
    await untilReady(page, "Zebrafish clinic");
    await expect(row(page, "blank")).toContainText("Failed", { timeout: 20_000 });
    await row(page, "blank").getByRole("link").click();
    await expect(page.getByRole("heading", { level: 1, name: "blank" })).toBeVisible();
    await expectNoFindings(page, "failed");
    await page.goto(`/documents/${id}?quote=0-5-0123456789ab`);
    await expect(page.getByText("no longer contains this quote")).toBeVisible();
    await page.getByText("Passage #1").click();
    await expectNoFindings(page, "changed, and a passage open");
    const search = await page.request.post("/api/documents/search", {
      data: { preset: "company", query: "zebrafish opening", sources: ["customer_kb"] },
    });
    expect((await search.json()).data.length).toBeGreaterThan(0);
    await page.goto("/documents");
    await untilInteractive(page);
    await page.getByRole("tab", { name: "Search" }).click();
    await page.getByLabel("Query").fill("zebrafish opening");
    await page.getByLabel("Query").press("Enter");
    await page.getByRole("link", { name: "Zebrafish clinic" }).first().click();
    await expect(quoted(page).first()).toBeVisible();
    await expectNoFindings(page, "quoted");
    await page.request.delete(`/api/documents/${id}`);
    await reload(page);
    await expect(page.getByRole("heading", { name: "This document was deleted" })).toBeVisible();
    await expectNoFindings(page, "deleted");
    await page.goto("/documents/doc_none");
    await expect(page.getByRole("heading", { name: "Document not found" })).toBeVisible();
    await expectNoFindings(page, "not there");
  });
});
