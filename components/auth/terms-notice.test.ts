import { readFileSync } from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { TermsNotice } from "./terms-notice";

const shown = (...texts: string[]) => renderToStaticMarkup(createElement(TermsNotice, { texts }));

it("asks to agree to terms only if the operator has published some", () => {
  const templates = ["terms", "privacy"].map((name) =>
    readFileSync(`docs/legal/${name}.md`, "utf8"),
  );
  for (const template of templates) {
    expect(shown("# Terms", template)).not.toContain("you agree");
    // Nobody is shown blanks that nobody has filled in.
    expect(template).not.toMatch(/\[[^\]]*\](?!\()/);
  }
  expect(shown("# Terms", "# Privacy")).toContain("you agree to the");
});
