import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ResetPasswordForm } from "./reset-password-form";

const render = (canGetLink: boolean) =>
  renderToStaticMarkup(createElement(ResetPasswordForm, { canGetLink }));

test("offers a new link only if it would reach anyone", () => {
  expect(render(true)).toContain("Get a new link");
  expect(render(true)).not.toContain("Ask its administrator");
  expect(render(false)).not.toContain("Get a new link");
  expect(render(false)).toContain("Ask its administrator");
});
