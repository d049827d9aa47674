import { describe, expect, it } from "vitest";
import { readEnv } from "@/lib/platform/env";
import { setCalibration } from "@/lib/testing/calibration";
import { upstream } from "@/lib/testing/fake-upstream";
import { checkEmbedder, checkSeparation } from "./embedding";

let made = 0;

function check(script: object, variables: Record<string, string> = {}) {
  made += 1;
  return checkEmbedder(
    readEnv({
      EMBEDDING_MODEL: `embed script:${JSON.stringify({ name: `doctor-${made}`, ...script })}`,
      EMBEDDING_BASE_URL: upstream().url,
      ...variables,
    }),
  );
}

describe("the embedding model of a deployment", () => {
  it("isn't asked for if there is none", async () => {
    expect(await checkEmbedder(readEnv({}))).toEqual({ space: null, findings: [] });
  });

  it("has no findings if it works", async () => {
    const { space, findings } = await check({});
    expect(space).toMatch(/@64$/);
    expect(findings).toEqual([]);
  });

  it.each<[string, object, string, Record<string, string>?]>([
    ["refuses", { status: 401 }, "returned status 401"],
    ["is down", { fault: "resets" }, "could not be reached"],
    ["has other dimensions", { dimensions: 48 }, "48 dimensions", { EMBEDDING_DIMENSIONS: "64" }],
    ["answers zeros later", { after: 1, item: { embedding: Array(64).fill(0) } }, "length 0"],
  ])("is advised about if it %s", async (_, script, reason, variables) => {
    const message = expect.stringContaining(reason);
    expect(await check(script, variables)).toEqual({
      space: null,
      findings: [{ level: "advice", about: "EMBEDDING_MODEL", message }],
    });
  });

  it("is advised about if a search wouldn't wait for it", async () => {
    const { findings } = await check({ delayMs: 20 }, { RETRIEVAL_DEADLINE_MS: "10" });
    const message = expect.stringContaining("Searches wait 5 ms");
    expect(findings).toEqual([{ level: "advice", about: "EMBEDDING_MODEL", message }]);
  });

  it("is advised about if it doesn't read passages to their ends, or refuses them", async () => {
    const about = "CHUNK_TOKENS";
    for (const [script, variables] of [
      [{}, { EMBEDDING_MAX_TOKENS: "256" }],
      [{ after: 2, status: 400 }, {}],
    ] as const) {
      const { findings } = await check(script, variables);
      const message = expect.stringContaining("passage of 400 tokens");
      expect(findings).toEqual([{ level: "advice", about, message }]);
    }
  });

  it("is advised about if it should run on this machine and wasn't added", async () => {
    const env = readEnv({ EMBEDDING_MODEL: "local", DATA_DIR: "no-such-folder" });
    const message = expect.stringContaining("npm run models -- add all-minilm-l6-v2 FOLDER");
    expect(await checkEmbedder(env)).toEqual({
      space: null,
      findings: [{ level: "advice", about: "EMBEDDING_MODEL", message }],
    });
  });

  it("is advised about until searches use its vectors", async () => {
    const space = "doctor@64";
    const [missing] = await checkSeparation(space);
    expect(missing?.message).toContain("20 passages");
    await setCalibration(space, { separation: 0.4 });
    const [weak] = await checkSeparation(space);
    expect(weak?.message).toContain("only 0.4 standard deviations");
    await setCalibration(space);
    expect(await checkSeparation(space)).toEqual([]);
  });
});
