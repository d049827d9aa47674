import { describe, expect, it } from "vitest";
import { fakeVector } from "@/lib/testing/fake-embeddings";
import { calibrate, LEAST_SEPARATION, type Sentence } from "./calibration";

const DIMENSIONS = 64;
const PLACES = Array.from({ length: 40 }, (_, place) => place);
const nameOf = (place: number) => `${"abcdefgh"[place % 8]}${"uvwxyz"[Math.floor(place / 8)]}k`;
const wordsOf = (place: number) => ["dru", "orga", "sig"].map((word) => word + nameOf(place));
const passages = PLACES.map((place) => fakeVector(wordsOf(place).join(" "), DIMENSIONS));
const from = (toVector: (place: number) => Float32Array): Sentence[] =>
  PLACES.map((place) => ({ vector: toVector(place), from: place }));

describe("a calibration", () => {
  it("tells a model that knows each sentence's passage from noise", async () => {
    const knowing = from((place) => fakeVector(wordsOf(place).slice(1).join(" "), DIMENSIONS));
    expect((await calibrate(knowing, passages)).separation).toBeGreaterThan(LEAST_SEPARATION);
    const noise = from((place) => fakeVector(`other${nameOf(place)}`, DIMENSIONS));
    expect(Math.abs((await calibrate(noise, passages)).separation)).toBeLessThan(1);
  });

  it("measures other passages only", async () => {
    const own = from((place) => passages[place] ?? new Float32Array());
    const { mean, deviation } = await calibrate(own, passages);
    expect(Math.abs(mean)).toBeLessThan(0.1);
    expect(deviation).toBeLessThan(0.3);
  });

  it("finds no separation if every text has the same vector", async () => {
    const same = fakeVector("same", DIMENSIONS);
    const calibration = await calibrate(
      from(() => same),
      PLACES.map(() => same),
    );
    expect(calibration).toMatchObject({ deviation: 1, separation: 0 });
  });
});
