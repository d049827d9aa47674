import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { FundsNotice } from "./funds-notice";

it.each([
  ["0.000000", true, true],
  ["5.000000", true, false],
  ["0.000001", true, false],
  ["0.000000", false, false],
])("with $%s, charged: %s, asks for funds first: %s", (availableUsd, isCharged, asks) => {
  const html = renderToStaticMarkup(createElement(FundsNotice, { availableUsd, isCharged }));
  expect(html.includes("Add funds")).toBe(asks);
});
