import { describe, expect, test } from "vitest";
import { judge } from "./judge";

const TABLE = [
  "Doses in adults.",
  "",
  "| Drug | Morning | Evening | Advice |",
  "| --- | --- | --- | --- |",
  "| Aspivaril | | 100 mg | Take with food. Avoid alcohol. |",
  "| Betacor | 20 mg | 5 mg | Take before meals. |",
  "| Calmidol | 40 mg | 15 mg | |",
].join("\n");

describe("a claim about a table's row", () => {
  test.each([
    "Aspivaril is given as 100 mg in the evening.",
    "Betacor is given as 20 mg in the morning and 5 mg in the evening.",
    "Take Betacor before meals.",
    "With Aspivaril, avoid alcohol.",
    "Betacor is given as 20 mg in the morning, and Calmidol as 40 mg.",
  ])("is supported by it: %s", (claim) => {
    expect(judge(claim, TABLE).verdict).toBe("supported");
  });

  test.each([
    ["the next row's number", "Betacor is given as 40 mg in the morning."],
    ["the number of the row above", "Betacor is given as 100 mg in the evening."],
    ["another column's number", "Betacor is given as 5 mg in the morning."],
    ["the columns exchanged", "Betacor is given as 5 mg in the morning and 20 mg in the evening."],
    ["another row's words", "With Calmidol, avoid alcohol."],
    ["the rows exchanged", "Betacor is given as 40 mg in the morning, and Calmidol as 20 mg."],
  ])("isn't supported with %s", (_what, claim) => {
    expect(judge(claim, TABLE).verdict).not.toBe("supported");
  });

  test("can rest on the text beside the table as well", () => {
    const claim = "In adults, the dose of Aspivaril is 100 mg in the evening.";
    expect(judge(claim, TABLE).verdict).toBe("supported");
  });
});
