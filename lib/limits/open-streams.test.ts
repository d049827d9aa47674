import { describe, expect, it } from "vitest";
import { env } from "@/lib/env";
import { newId } from "@/lib/id";
import { acquireStream } from "./open-streams";

describe("an account's streams", () => {
  it("are limited, and a released slot can be acquired again", async () => {
    const account = newId("account");
    const places: (() => void)[] = [];
    for (let taken = 0; taken < env.MAX_STREAMS_PER_ACCOUNT; taken += 1) {
      places.push(await acquireStream(account));
    }
    await expect(acquireStream(account)).rejects.toMatchObject({
      status: 429,
      code: "rate_limit_exceeded",
    });
    places[0]?.();
    places[0]?.();
    places.push(await acquireStream(account));
    await expect(acquireStream(account)).rejects.toMatchObject({ status: 429 });
    await expect(acquireStream(newId("account"))).resolves.toBeTypeOf("function");
  });
});
