import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { VERSION } from "@/lib/platform/env";
import { processSingleton } from "@/lib/singleton";
import { call } from "@/lib/testing/api";
import { getHealth } from "./health";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  forget();
});
afterEach(() => {
  vi.useRealTimers();
  forget();
});

function forget(): void {
  Object.assign(
    processSingleton("health check", () => ({})),
    { at: Number.NEGATIVE_INFINITY },
  );
}

describe("the health check", () => {
  it("asks the database once for everyone who asks within a second", async () => {
    const check = vi.fn(async () => {});
    await Promise.all(Array.from({ length: 1000 }, () => getHealth(check)));
    expect(check).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1001);
    expect(await getHealth(check)).toEqual({ status: "ok", version: VERSION });
    expect(check).toHaveBeenCalledTimes(2);
  });

  it("gives them all the same failure, and asks again a second later", async () => {
    const check = vi.fn(async () => {
      throw new Error("away");
    });
    const asked = [getHealth(check), getHealth(check)];
    for (const result of await Promise.allSettled(asked)) {
      expect(result).toMatchObject({ status: "rejected", reason: { message: "away" } });
    }
    expect(check).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1001);
    expect(await getHealth(async () => {})).toMatchObject({ status: "ok" });
  });

  it("says whether the database answers, and which version, and liveness doesn't ask it", async () => {
    const health = await call("GET", "/api/health");
    expect([health.status, health.json]).toEqual([200, { status: "ok", version: VERSION }]);
    const live = await call("GET", "/api/live");
    expect([live.status, live.json]).toEqual([200, { status: "ok" }]);
  });
});
