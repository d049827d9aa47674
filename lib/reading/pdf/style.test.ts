import { expect, it } from "vitest";
import { isBoldName } from "./style";

it("a font is bold by its name, in TeX's short names, too", () => {
  const bold = ["Arial-BoldMT", "AAAAAA+Roboto-Black", "NimbusRomNo9L-Medi", "TimesNewRomanPS-BD"];
  const tex = ["CMBX12", "AAAAAD+SFBX1000", "SFBI1000", "SFSX1000", "ECBX1000", "ABCDEF+CMSSBX10"];
  const regular = ["Arial", "Avenir-Medium", "AAAAAC+SFRM1000", "SFTI1000", "CMR10", "CMSS10"];
  expect([...bold, ...tex].filter((name) => !isBoldName(name))).toEqual([]);
  expect(regular.filter(isBoldName)).toEqual([]);
});
