import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { beginDraining } from "@/lib/platform/http/shutdown";
import { processSingleton } from "@/lib/singleton";
import { setLimit } from "@/lib/testing/set-limit";
import { defaultModel } from "../catalogue";
import { SentCall } from "../sent-call";
import { Attempt } from "./attempt";

function begin() {
  const caller = new AbortController();
  const request = { model: "m", messages: [] };
  const sent = new SentCall(defaultModel(), request, { prompt: 10, completion: 10 });
  const attempt = new Attempt(caller.signal, () => sent);
  attempt.begin();
  return { caller, sent, attempt, isGivenUp: () => attempt.signal.aborted };
}

describe("an upstream whose caller left", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    processSingleton("shutdown", () => ({ isDraining: false })).isDraining = false;
  });

  it("is given up after 30 s of silence", () => {
    const { caller, isGivenUp } = begin();
    caller.abort();
    vi.advanceTimersByTime(29_999);
    expect(isGivenUp()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isGivenUp()).toBe(true);
  });

  it("is read on for 120 s at most while it writes", () => {
    const { caller, attempt, isGivenUp } = begin();
    caller.abort();
    for (let seconds = 0; seconds < 119; seconds += 1) {
      vi.advanceTimersByTime(1000);
      attempt.hear();
    }
    vi.advanceTimersByTime(999);
    expect(isGivenUp()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isGivenUp()).toBe(true);
  });

  it("isn't read on beyond the lease of its hold", () => {
    setLimit("HOLD_LEASE_SECONDS", 5);
    const { caller, attempt, isGivenUp } = begin();
    caller.abort();
    vi.advanceTimersByTime(4999);
    attempt.hear();
    expect(isGivenUp()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isGivenUp()).toBe(true);
  });

  it("is waited for no longer once it has ended", async () => {
    const { caller, attempt, sent } = begin();
    caller.abort();
    attempt.end("answered");
    await sent.ended;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("isn't read on when the server ends the request", () => {
    const { caller, isGivenUp } = begin();
    caller.abort(new AppError("service_unavailable", "The server is shutting down."));
    expect(isGivenUp()).toBe(true);
  });

  it("isn't read on by a server that stops", () => {
    const [earlier, later] = [begin(), begin()];
    earlier.caller.abort();
    expect(earlier.isGivenUp()).toBe(false);
    beginDraining();
    expect(earlier.isGivenUp()).toBe(true);
    later.caller.abort();
    expect(later.isGivenUp()).toBe(true);
  });
});
