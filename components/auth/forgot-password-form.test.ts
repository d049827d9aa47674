import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ForgotPasswordForm } from "./forgot-password-form";

type Delivery = Parameters<typeof ForgotPasswordForm>[0]["delivery"];

const render = (delivery: Delivery) =>
  renderToStaticMarkup(createElement(ForgotPasswordForm, { delivery }));

test("promises an email only if the server sends email", () => {
  expect(render("email")).toContain("We’ll send you a link");
  expect(render("log")).not.toContain("We’ll send you a link");
  expect(render("log")).toContain("Your administrator will get the reset link");
});

test("offers no form if a reset link would go nowhere", () => {
  expect(render("log")).toContain("<form");
  expect(render("none")).not.toContain("<form");
  expect(render("none")).toContain("Ask its administrator");
});
