import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { env } from "@/lib/platform/env";
import { acquireLongPoll, acquireStream } from "./open-streams";

describe.each([
  ["streams", acquireStream],
  ["long polls", acquireLongPoll],
])("an account's %s", (_name, acquire) => {
  it("are limited, and a released slot can be acquired again", async () => {
    const account = newId("account");
    const places: (() => void)[] = [];
    for (let taken = 0; taken < env.MAX_STREAMS_PER_ACCOUNT; taken += 1) {
      places.push(await acquire(account));
    }
    await expect(acquire(account)).rejects.toMatchObject({
      status: 429,
      code: "rate_limit_exceeded",
    });
    places[0]?.();
    places[0]?.();
    places.push(await acquire(account));
    await expect(acquire(account)).rejects.toMatchObject({ status: 429 });
    await expect(acquire(newId("account"))).resolves.toBeTypeOf("function");
  });

  it("don't use up the slots of requests that wait for a job, which are limited as well", async () => {
    const account = newId("account");
    await acquireStream(account);
    const open: (() => void)[] = [];
    for (let taken = 0; taken < env.MAX_LONG_POLLS_PER_ACCOUNT; taken += 1) {
      open.push(await acquireLongPoll(account));
    }
    await expect(acquireLongPoll(account)).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining(
        `${env.MAX_LONG_POLLS_PER_ACCOUNT} requests waiting for jobs`,
      ),
    });
    open[0]?.();
    await expect(acquireLongPoll(account)).resolves.toBeTypeOf("function");
  });
});
