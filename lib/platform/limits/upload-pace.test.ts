import { describe, expect, it } from "vitest";
import { createPace } from "./upload-pace";

const MB = 1024 * 1024;

function measure({ isBusy }: { isBusy: boolean }) {
  let time = 1000;
  const pace = createPace(() => isBusy, {
    now: () => time,
    wait: async (ms) => {
      time += ms;
    },
  });
  return { pace, elapsed: () => time - 1000 };
}

describe("paceUpload", () => {
  it("doesn't delay uploads while the event loop has time", async () => {
    const { pace, elapsed } = measure({ isBusy: false });
    for (let sent = 0; sent < 1000; sent += 1) {
      await pace(64 * 1024);
    }
    expect(elapsed()).toBe(0);
  });

  it("gives all uploads together a fixed rate while the event loop is busy", async () => {
    const { pace, elapsed } = measure({ isBusy: true });
    for (let sent = 0; sent < 48 * 16; sent += 1) {
      await pace(MB / 16);
    }
    expect(elapsed()).toBeGreaterThan(1900);
    expect(elapsed()).toBeLessThan(2100);
  });
});
