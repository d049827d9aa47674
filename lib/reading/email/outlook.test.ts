import { describe, expect, it } from "vitest";
import { outlookFile } from "@/lib/testing/outlook-file";
import { DocumentError } from "../document-error";
import { detectFormat } from "../parse/detect";
import { parseOutlook } from "./outlook";

const whole = Buffer.from(
  outlookFile({
    texts: { "0037001F": "Doses", "1000001F": "At most 35 µg a day. ".repeat(500) },
    recipients: [{ texts: { "3001001F": "Ben" }, numbers: { "0C150003": 1 } }],
  }),
);

async function outcomeOf(bytes: Buffer): Promise<string> {
  try {
    return (await parseOutlook(bytes)).blocks.length > 0 ? "read" : "empty";
  } catch (thrown) {
    return thrown instanceof DocumentError ? thrown.code : `failed: ${thrown}`;
  }
}

describe("an Outlook message", () => {
  it("is read in full, also a body of many sectors", async () => {
    const { blocks, title } = await parseOutlook(whole);
    expect(title).toBe("Doses");
    expect(blocks[0]?.text).toBe("To: Ben\nSubject: Doses");
    expect(blocks[1]?.text.match(/35 µg/g)).toHaveLength(500);
  });

  it("has its time, and its sender once", async () => {
    const dated = outlookFile({
      texts: { "0C1A001F": "ann@example.com", "5D01001F": "ann@example.com", "1000001F": "x" },
      times: { "0E060040": new Date("2025-03-14T10:00:00Z") },
    });
    const { blocks } = await parseOutlook(Buffer.from(dated));
    expect(blocks[0]?.text).toBe("From: ann@example.com\nDate: 2025-03-14T10:00:00.000Z");
  });

  it("with rich text only is refused rather than read without its body", async () => {
    const rich = outlookFile({ texts: { "10090102": Buffer.from("LZFu") } });
    await expect(parseOutlook(Buffer.from(rich))).rejects.toThrow(/rich text only/);
  });

  it("is refused if it is cut off, wherever its directory is", async () => {
    for (const share of [0.1, 0.5, 0.9]) {
      const start = whole.subarray(0, whole.length * share);
      expect([share, await outcomeOf(start)]).toEqual([share, "damaged_file"]);
    }
    const start = Buffer.alloc(8192);
    whole.copy(start, 0, 0, 512);
    start.writeUInt32LE(100, 48);
    await expect(detectFormat(start, 1e6)).rejects.toMatchObject({ code: "damaged_file" });
  });

  it("is read or refused, whatever its chains and entries refer to", async () => {
    const outcomes = new Set<string>();
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    for (let run = 0; run < 2000; run += 1) {
      const broken = Buffer.from(whole);
      for (let change = random(6); change >= 0; change -= 1) {
        broken.writeInt32LE(random(40) - 4, 4 * random(broken.length / 4));
      }
      outcomes.add(await outcomeOf(broken.subarray(0, random(4) ? broken.length : random(9000))));
    }
    expect([...outcomes].filter((each) => each.startsWith("failed"))).toEqual([]);
    expect(outcomes).toContain("read");
    expect(outcomes).toContain("damaged_file");
  });
});
