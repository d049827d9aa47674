import { expect, test } from "@playwright/test";
import { chooseOption, newMember, untilInteractive } from "./member";

test("preserves a preset's form after an outside click once a model was chosen", async ({
  page,
}) => {
  await newMember(page);
  // The server of the journeys has one model; the page gets a second one to choose.
  await page.route("**/presets", async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    const body = html.replace(/(\\"models\\":\[)(\\"[^\]]+)\]/, '$1$2,\\"second-model\\"]');
    expect(body).not.toBe(html);
    await route.fulfill({ response, body });
  });
  await page.goto("/presets");
  await untilInteractive(page);
  const open = page.getByRole("button", { name: "Create preset" });
  const form = page.getByRole("dialog", { name: "Create preset" });
  await open.click();
  await expect(form).toBeVisible();
  await page.mouse.click(5, 5);
  await expect(form).toHaveCount(0);
  await open.click();
  await chooseOption(page, "Model", "second-model");
  await page.mouse.click(5, 5);
  await expect(form.getByRole("combobox", { name: "Model" })).toContainText("second-model");
});
