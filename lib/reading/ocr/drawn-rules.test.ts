import { describe, expect, it } from "vitest";
import { inkOutside } from "./drawn-rules";

/** A white image with black rectangles. */
function image(...ink: { x0: number; y0: number; x1: number; y1: number }[]) {
  const [width, height] = [400, 300];
  const pixels = new Uint8Array(width * height).fill(255);
  for (const { x0, y0, x1, y1 } of ink) {
    for (let y = y0; y < y1; y += 1) {
      pixels.fill(0, y * width + x0, y * width + x1);
    }
  }
  return { width, height, pixels };
}

const LEFT = { x0: 20, y0: 40, x1: 120, y1: 60 };
const RIGHT = { x0: 220, y0: 40, x1: 320, y1: 60 };

describe("the ink outside of words", () => {
  it("is what no box covers", () => {
    expect(inkOutside(image(LEFT, RIGHT), [LEFT, RIGHT])).toBe(0);
    expect(inkOutside(image(LEFT, RIGHT), [LEFT])).toBeCloseTo(0.5, 2);
    expect(inkOutside(image(LEFT, RIGHT), [])).toBe(1);
  });

  it("is none of a letter's edge beside its box, nor of a blank page", () => {
    const narrow = { ...LEFT, x0: LEFT.x0 + 3, x1: LEFT.x1 - 3 };
    expect(inkOutside(image(LEFT), [narrow])).toBe(0);
    expect(inkOutside(image(), [])).toBe(0);
  });
});
