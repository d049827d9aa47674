import { describe, expect, it, onTestFinished, vi } from "vitest";
import { inPieces } from "./pieces";

const items = Array.from({ length: 100 }, (_, index) => index);

/** The sizes of the pieces, if each item takes so long. */
async function sizesAt(itemMs: number): Promise<number[]> {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const pieces: (readonly number[])[] = [];
  await inPieces(items, async (piece) => {
    pieces.push(piece);
    now += piece.length * itemMs;
  });
  expect(pieces.flat()).toEqual(items);
  return pieces.map(({ length }) => length);
}

describe("work in pieces", () => {
  it("begins with a few items, and grows while they are fast", async () => {
    expect(await sizesAt(1)).toEqual([8, 16, 32, 44]);
  });

  it("takes some seconds at a time however slow an item is", async () => {
    expect(await sizesAt(100)).toEqual([8, 16, 16, 16, 16, 16, 12]);
    expect((await sizesAt(3000)).slice(0, 5)).toEqual([8, 4, 2, 1, 1]);
  });

  it("ends at a failure, with nothing done twice", async () => {
    const done: number[] = [];
    const failing = inPieces(items, async (piece) => {
      if (done.length > 0) {
        throw new Error("away");
      }
      done.push(...piece);
    });
    await expect(failing).rejects.toThrow("away");
    expect(done).toEqual(items.slice(0, 8));
  });
});
