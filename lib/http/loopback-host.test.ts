import { expect, it } from "vitest";
import { loopbackOrigin } from "./loopback-host";

const HOME = "http://localhost:3000";

it("leads another name of this machine to the one that payments return to", () => {
  expect(loopbackOrigin("127.0.0.1:3000", HOME)).toBe(HOME);
  expect(loopbackOrigin("[::1]:3000", HOME)).toBe(HOME);
  expect(loopbackOrigin("localhost:3000", "http://127.0.0.1:3000/")).toBe("http://127.0.0.1:3000");
});

it.each([
  ["localhost:3000", HOME],
  ["127.0.0.1:4000", HOME],
  ["footnote.example", HOME],
  ["127.0.0.1:3000", "https://footnote.example"],
  ["127.0.0.1:3000@evil.example", HOME],
  ["", HOME],
  [null, HOME],
])("leaves %s alone with %s", (host, appUrl) => {
  expect(loopbackOrigin(host, appUrl)).toBeNull();
});
