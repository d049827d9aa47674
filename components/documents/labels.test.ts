import { describe, expect, it } from "vitest";
import { formatCount } from "@/lib/format-count";
import { formatPages, formatSize, formatStage } from "./labels";

describe("document labels", () => {
  it("format sizes in the fitting unit", () => {
    const sizes: [number, string][] = [
      [0, "0 bytes"],
      [1, "1 byte"],
      [1023, "1,023 bytes"],
      [1024, "1 kB"],
      [1536, "1.5 kB"],
      [50 * 1024 * 1024, "50 MB"],
      [5 * 1024 ** 3, "5 GB"],
      [5 * 1024 ** 4, "5,120 GB"],
    ];
    for (const [bytes, size] of sizes) {
      expect(formatSize(bytes)).toBe(size);
    }
  });

  it("format counts, pages and stages", () => {
    expect(formatCount(1, "page")).toBe("1 page");
    expect(formatCount(1204, "page")).toBe("1,204 pages");
    expect(formatCount(2, "entry", "entries")).toBe("2 entries");
    expect([formatPages(null, null), formatPages(3, 3), formatPages(3, 5)]).toEqual([
      null,
      "page 3",
      "pages 3–5",
    ]);
    expect(formatStage({ status: "processing", stage: "indexing" })).toBe("Indexing passages");
    expect(formatStage({ status: "processing", stage: "unknown" })).toBe("Processing");
    expect(formatStage({ status: "queued", stage: null })).toBe("Waiting to start");
  });
});
