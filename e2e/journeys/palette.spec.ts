import { expect, type Page, test } from "@playwright/test";
import { expectNoFindings } from "./axe";
import { addKeys, breakReads, delayScripts, newMember, reload, visit } from "./member";

function palette(page: Page) {
  return page.getByRole("dialog", { name: "Search or jump to" });
}

function help(page: Page) {
  return page.getByRole("dialog", { name: "Keyboard shortcuts" });
}

/** The option that Enter would choose. */
function chosen(page: Page) {
  return page.getByRole("option", { selected: true });
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Search or jump to" })).toBeFocused();
}

/** Types into the palette, waits until the expected option is selected, and chooses it. */
async function choose(page: Page, text: string, name: string | RegExp): Promise<void> {
  await openPalette(page);
  await page.keyboard.type(text);
  await expect(chosen(page)).toHaveAccessibleName(name);
  await page.keyboard.press("Enter");
  await expect(palette(page)).toBeHidden();
}

/** Presses keys one after the other. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
  }
}

/** Uploads through the console's API and waits until the document is listed by its title. */
async function addDocument(page: Page, title: string): Promise<void> {
  const buffer = Buffer.from(`# ${title}\n\nWelcome.\n`);
  const response = await page.request.post("/api/documents", {
    multipart: {
      scope: "customer_kb",
      file: { name: "file.md", mimeType: "application/octet-stream", buffer },
    },
  });
  expect(response.status()).toBe(202);
  await expect
    .poll(async () => (await page.request.get(`/api/documents?title=${title}`)).json())
    .toHaveProperty("data.length", 1);
}

test("opens the palette by keyboard, navigates to pages and restores focus", {
  tag: "@main",
}, async ({ page }) => {
  await newMember(page, "/keys");
  const create = page.getByRole("button", { name: "Create key" });
  await create.focus();
  await openPalette(page);
  for (const group of ["Go to", "Actions", "Documentation"]) {
    await expect(palette(page).getByRole("group", { name: group })).toBeVisible();
  }
  await page.keyboard.press("Escape");
  await expect(palette(page)).toBeHidden();
  await expect(create).toBeFocused();

  await openPalette(page);
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeHidden();
  await expect(create).toBeFocused();

  await openPalette(page);
  await expect(chosen(page)).toHaveAccessibleName("Overview");
  await page.keyboard.press("ArrowDown");
  await expect(chosen(page)).toHaveAccessibleName("Playground");
  await press(page, "ArrowUp", "ArrowUp");
  await expect(chosen(page)).toHaveAccessibleName(/Red team/);
  await page.keyboard.press("Tab");
  await expect(palette(page).getByRole("button", { name: "Close" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(palette(page)).toBeHidden();
  await expect(page).toHaveURL(/\/keys$/);

  await choose(page, "usa", "Usage");
  await expect(page).toHaveURL(/\/usage$/);
  await expect(page.getByRole("main")).toBeFocused();
  await choose(page, "streaming", /^Streaming/);
  await expect(page).toHaveURL(/\/docs\/streaming$/);
});

test("opens the palette whose shortcut was pressed before scripts load", async ({ page }) => {
  await newMember(page);
  const release = await delayScripts(page);
  await page.goto("/keys", { waitUntil: "commit" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("Control+k");
  release();
  await expect(palette(page)).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeHidden();
});

test("opens the dialog whose button was clicked before scripts load", async ({ page }) => {
  await newMember(page);
  const release = await delayScripts(page);
  await page.goto("/keys", { waitUntil: "commit" });
  await page.getByRole("button", { name: "Create key" }).first().click();
  release();
  await expect(page.getByRole("dialog", { name: "Create key" })).toBeVisible();
});

test("shows the shortcut on the palette's button, which opens it as well", async ({ page }) => {
  await newMember(page, "/keys");
  const button = page.getByRole("button", { name: "Search or jump to…" });
  await expect(button).toContainText("CtrlK");
  await expect(button).toHaveAttribute("aria-keyshortcuts", "Control+K");
  await button.click();
  await expect(page.getByRole("combobox")).toBeFocused();
  await palette(page).getByRole("option", { name: "Billing", exact: true }).click();
  await expect(page).toHaveURL(/\/billing$/);
});

test("finds keys by name and documents by title, and opens both", async ({ page }) => {
  await newMember(page);
  await addKeys(page, ["Intake assistant", "Nightly evaluation"]);
  await addDocument(page, "Zebrafish clinic");
  await visit(page, "/keys");
  await choose(page, "nightly", /^Nightly evaluation/);
  await expect(page.getByRole("article", { name: "Nightly evaluation" })).toContainText(
    "kb:search",
  );
  await expect(page).toHaveURL(/\/keys\/key_/);

  await choose(page, "zebra", /^Zebrafish clinic/);
  await expect(page).toHaveURL(/\/documents\/doc_/);
  await expect(page.getByRole("heading", { level: 1, name: "Zebrafish clinic" })).toBeVisible();

  await openPalette(page);
  await page.keyboard.type("qwxzvb");
  await expect(palette(page)).toContainText("No results for “qwxzvb”");
  await expect(palette(page).getByRole("status")).toHaveText("No results");
});

test("finds words inside the documentation, and opens the section", async ({ page }) => {
  await newMember(page, "/keys");
  await openPalette(page);
  await page.keyboard.type("citations top_k");
  const found = palette(page).getByRole("option", { name: /^POST \/v1\/chat\/completions/ });
  // The first search makes the index.
  await expect(found.first()).toBeVisible({ timeout: 30_000 });
  await found.first().click();
  await expect(page).toHaveURL(/\/docs\/api\/chat#post-v1-chat-completions$/);
});

test("finds and opens a key from a later page of the list", async ({ page }) => {
  test.slow();
  await newMember(page);
  const later = Array.from({ length: 50 }, (_, index) => `Service ${index + 1}`);
  await addKeys(page, ["The oldest", ...later]);
  await visit(page, "/keys");
  await choose(page, "oldest", /^The oldest/);
  await expect(page.getByRole("article", { name: "The oldest" })).toBeVisible();
});

test("selects the first result, also when it arrives last, until another is selected", async ({
  page,
}) => {
  await newMember(page);
  await addKeys(page, ["The oldest"]);
  await visit(page, "/keys");
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/api\/keys\?/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await openPalette(page);
  await page.keyboard.type("oldest");
  // The first search of the documentation makes its index.
  await expect(chosen(page)).toHaveAccessibleName(/oldest first/, { timeout: 30_000 });
  release();
  await expect(chosen(page)).toHaveAccessibleName(/^The oldest/);
  await page.keyboard.press("ArrowDown");
  await expect(chosen(page)).toHaveAccessibleName(/oldest first/);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("article", { name: "The oldest" })).toBeVisible();
});

test("reports a failed search in the palette and retries it", async ({ page }) => {
  await newMember(page);
  await addKeys(page, ["Portal"]);
  await visit(page, "/keys");
  const restore = await breakReads(page, /\/api\/documents\?/);
  await openPalette(page);
  await page.keyboard.type("portal");
  await expect(palette(page)).toContainText("Couldn’t search all documents and keys.");
  await expect(chosen(page)).toHaveAccessibleName(/^Portal/);
  await restore();
  await palette(page).getByRole("button", { name: "Try again" }).click();
  await expect(palette(page)).not.toContainText("Couldn’t search all documents");
  await expect(page.getByRole("combobox")).toBeFocused();
});

test("opens the matching page or dialog for each action", async ({ page }) => {
  await newMember(page, "/usage");
  await choose(page, "create key", "Create key");
  await expect(page.getByRole("dialog").getByLabel("Name")).toBeFocused();
  await expect(page).toHaveURL(/\/keys$/);
  // The palette must not replace an open form or a secret that is shown only once.
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();

  await choose(page, "upload", "Upload documents");
  await expect(page.getByRole("button", { name: "Choose files" })).toBeFocused();
  await expect(page).toHaveURL(/\/documents$/);
  await page.getByRole("tab", { name: "Search" }).click();
  await choose(page, "upload", "Upload documents");
  await expect(page.getByRole("button", { name: "Choose files" })).toBeFocused();

  await page.emulateMedia({ colorScheme: "light" });
  await choose(page, "dark", "Switch to dark theme");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await openPalette(page);
  await page.keyboard.type("theme");
  await expect(page.getByRole("option", { name: /dark theme/ })).toContainText("Current");
  await page.keyboard.press("Escape");

  await choose(page, "funds", "Add funds");
  await expect(page).toHaveURL(/\/billing$/);
  await choose(page, "sign out", "Sign out");
  await expect(page).toHaveURL(/\/sign-in$/);
});

test("starts a new conversation from any page and restores the old one on undo", async ({
  page,
}) => {
  await newMember(page, "/playground");
  await page.getByRole("list", { name: "Examples" }).getByRole("button").first().click();
  const again = page.getByRole("main").getByRole("button", { name: "New conversation" });
  await expect(again).toBeVisible();
  await expect(page.getByText(/Answer complete/)).toBeAttached({ timeout: 20_000 });
  await press(page, "g", "u");
  await expect(page).toHaveURL(/\/usage$/);
  await choose(page, "new conv", "New conversation");
  await expect(page).toHaveURL(/\/playground$/);
  await expect(page.getByRole("list", { name: "Examples" })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(again).toBeVisible();
});

test("lists the shortcuts, follows them to pages and the list filter, and ignores them in fields", async ({
  page,
}) => {
  await newMember(page, "/keys");
  await addDocument(page, "Rota");
  await page.keyboard.press("?");
  await expect(help(page)).toContainText("Focus the list filter");
  await press(page, "g", "u");
  await page.keyboard.press("Control+k");
  await expect(help(page)).toBeHidden();
  await expect(palette(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(palette(page)).toBeHidden();
  await expect(page).toHaveURL(/\/keys$/);

  for (const [letter, path] of Object.entries({
    o: "overview",
    p: "playground",
    u: "usage",
    b: "billing",
    s: "settings",
    k: "keys",
    d: "documents",
  })) {
    await press(page, "g", letter);
    await expect(page).toHaveURL(new RegExp(`/${path}$`));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    if (path === "playground") {
      await expect(page.getByLabel("Message", { exact: true })).toBeFocused();
      await page.keyboard.press("Escape");
    }
  }
  const filter = page.getByLabel("Title");
  await expect(filter).toBeVisible();
  await page.keyboard.press("/");
  await expect(filter).toBeFocused();
  await page.keyboard.type("gk?/");
  await expect(filter).toHaveValue("gk?/");
  await expect(page).toHaveURL(/\/documents\?title=/);
  await expect(page.getByRole("dialog")).toBeHidden();
  // Typing on a list opens it.
  await page.getByLabel("Status").focus();
  await press(page, "g", "k", "?");
  await expect(page.getByRole("dialog", { name: "Status" })).toBeVisible();
  await expect(page).toHaveURL(/\/documents\?title=/);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  // The palette also opens from a field and returns focus to it.
  await filter.focus();
  await openPalette(page);
  await page.keyboard.press("Escape");
  await expect(filter).toBeFocused();
});

test("turns single-key shortcuts off and on again", async ({ page }) => {
  await newMember(page, "/keys");
  const account = page.getByRole("button", { name: /^Account:/ });
  await account.click();
  await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
  await help(page).getByRole("checkbox", { name: "Single-key shortcuts" }).uncheck();
  await page.keyboard.press("Escape");
  await expect(help(page)).toBeHidden();
  await expect(account).toBeFocused();
  await reload(page);
  await press(page, "g", "u", "?");
  await openPalette(page);
  await expect(page).toHaveURL(/\/keys$/);
  await expect(palette(page).getByRole("option", { name: "Usage" })).toHaveText("Usage");
  await page.keyboard.type("keyboard");
  await expect(chosen(page)).toHaveAccessibleName("Keyboard shortcuts");
  await page.keyboard.press("Enter");
  await help(page).getByRole("checkbox", { name: "Single-key shortcuts" }).check();
  await page.keyboard.press("Escape");
  await expect(help(page)).toBeHidden();
  await press(page, "g", "u");
  await expect(page).toHaveURL(/\/usage$/);
});

test("links to the settings from the account menu", async ({ page }) => {
  await newMember(page, "/keys");
  await page.getByRole("button", { name: /^Account:/ }).click();
  await page.locator("[popover]").getByRole("link", { name: "Settings" }).click();
  await expect(page).toHaveURL(/\/settings$/);
  await expect(page.getByRole("button", { name: "Sign out" })).toBeHidden();
});

test("applies the chosen theme to not-found pages", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await newMember(page, "/keys");
  await page.evaluate(() => localStorage.setItem("theme", "dark"));
  for (const path of ["/no-such-page", "/documents/doc_none"]) {
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: /not found$|Citation needed/ })).toBeVisible();
    await expect(page.locator("html"), path).toHaveAttribute("data-theme", "dark");
  }
});

test("@phone-only shows the palette's button as an icon on a phone", async ({ page }) => {
  await newMember(page, "/keys");
  const button = page.getByRole("button", { name: "Search or jump to…" });
  const box = await button.boundingBox();
  expect(box?.width).toBeLessThan(48);
  await button.tap();
  await expect(page.getByRole("combobox")).toBeFocused();
  await palette(page).getByRole("option", { name: "Settings" }).first().tap();
  await expect(page).toHaveURL(/\/settings$/);
  await button.tap();
  await palette(page).getByRole("button", { name: "Close" }).tap();
  await expect(palette(page)).toBeHidden();
  await expect(button).toBeFocused();
});

test("@phone fits the palette in the window without axe violations", async ({ page }) => {
  test.slow();
  await newMember(page);
  await addKeys(page, ["A name that is much longer than any telephone is wide, in one line"]);
  await visit(page, "/keys");
  const check = async (where: string) => {
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    expect(await fits(), where).toBe(true);
    await expectNoFindings(page, where);
  };
  await openPalette(page);
  await check("opened");
  const field = page.getByRole("combobox");
  await field.fill("telephone");
  await expect(chosen(page)).toHaveAccessibleName(/^A name/);
  await check("found");
  await field.fill("qwxzvb");
  await expect(palette(page)).toContainText("No results for");
  await check("nothing found");
  await breakReads(page, /\/api\/documents\?/);
  await field.fill("telephone is");
  await expect(palette(page)).toContainText("Couldn’t search all documents");
  await check("failed");
  await page.keyboard.press("Escape");
  await expect(palette(page)).toBeHidden();
  await page.keyboard.press("?");
  await expect(help(page)).toBeVisible();
  await check("shortcuts");
  await help(page).getByRole("checkbox").uncheck();
  await check("shortcuts, off");
});
