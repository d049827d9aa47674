import { describe, expect, it } from "vitest";
import type { AcceptedDocument } from "@/lib/documents/schema";
import type { Sending } from "@/lib/documents/send";
import { UploadQueue } from "./upload-queue";

/** A server in whose place the test answers, file by file. */
function makeQueue() {
  const sent = new Map<string, Sending & { take: () => void; refuse: (cause: unknown) => void }>();
  let taken = 0;
  const queue = new UploadQueue({
    send: (sending) =>
      new Promise<AcceptedDocument>((resolve, reject) => {
        const { name } = sending.file;
        const take = () =>
          resolve({
            object: "kb.document",
            id: `doc_${name}`,
            job_id: `job_${name}`,
            status: "queued",
            deduplicated: false,
          });
        sent.set(name, { ...sending, take, refuse: reject });
      }),
    onTaken: () => {
      taken += 1;
    },
  });
  return {
    queue,
    sent: (name: string) => {
      const sending = sent.get(name);
      sent.delete(name);
      if (!sending) {
        throw new Error(`${name} was not sent`);
      }
      return sending;
    },
    isSent: (name: string) => sent.has(name),
    states: () => queue.snapshot().map(({ state }) => state.at),
    taken: () => taken,
  };
}

const MOST = 10;
const files = (...names: string[]) => names.map((name) => new File([name], name));
/** Lets what was answered be heard. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe("a queue of uploads", () => {
  it("sends three files at a time, and the next one when one is taken in", async () => {
    const { queue, sent, states, isSent, taken } = makeQueue();
    queue.add(files("a", "b", "c", "d"), "customer_kb", MOST);
    expect(states()).toEqual(["sending", "sending", "sending", "waiting"]);
    sent("b").take();
    await settled();
    expect(states()).toEqual(["sending", "taken", "sending", "sending"]);
    expect(isSent("d")).toBe(true);
    expect(taken()).toBe(1);
    expect(queue.snapshot()[1]?.state).toEqual({
      at: "taken",
      documentId: "doc_b",
      jobId: "job_b",
      isKnown: false,
    });
  });

  it("says why a file was refused, and sends the same file again when told to", async () => {
    const { queue, sent } = makeQueue();
    queue.add(files("a"), "personal_kb", MOST);
    const first = sent("a");
    first.refuse(new Error("The document is empty."));
    await settled();
    expect(queue.snapshot()[0]?.state).toEqual({
      at: "refused",
      message: "The document is empty.",
    });
    queue.retry(1);
    const second = sent("a");
    expect([second.file, second.scope]).toEqual([first.file, "personal_kb"]);
    second.take();
    await settled();
    expect(queue.snapshot()[0]?.state.at).toBe("taken");
  });

  it("refuses what is too large or empty without sending it", async () => {
    const { queue, isSent } = makeQueue();
    queue.add(
      [new File(["x".repeat(MOST + 1)], "large"), new File([], "empty")],
      "customer_kb",
      MOST,
    );
    expect(queue.snapshot().map(({ state }) => state)).toEqual([
      { at: "refused", message: expect.stringContaining("larger than") },
      { at: "refused", message: expect.stringContaining("empty") },
    ]);
    expect([isSent("large"), isSent("empty")]).toEqual([false, false]);
  });

  it("stops a file on its way, whose late progress or answer changes nothing", async () => {
    const { queue, sent, states, isSent } = makeQueue();
    queue.add(files("a", "b", "c", "d"), "customer_kb", MOST);
    const stopped = sent("a");
    stopped.onProgress(0.5);
    expect(queue.snapshot()[0]?.state).toEqual({ at: "sending", part: 0.5 });
    queue.stop(1);
    expect(stopped.signal.aborted).toBe(true);
    expect(isSent("d")).toBe(true);
    stopped.onProgress(0.9);
    stopped.take();
    await settled();
    expect(states()).toEqual(["stopped", "sending", "sending", "sending"]);
  });

  it("stops one that still waits, and never sends it", async () => {
    const { queue, sent, isSent } = makeQueue();
    queue.add(files("a", "b", "c", "d"), "customer_kb", MOST);
    queue.stop(4);
    sent("a").take();
    await settled();
    expect(isSent("d")).toBe(false);
  });

  it("forgets files, and goes on with the others", async () => {
    const { queue, sent, states } = makeQueue();
    queue.add(files("a", "b", "c", "d"), "customer_kb", MOST);
    const gone = sent("a");
    queue.remove([1, 2]);
    expect(gone.signal.aborted).toBe(true);
    expect(states()).toEqual(["sending", "sending"]);
    gone.refuse(new Error("aborted"));
    await settled();
    expect(states()).toEqual(["sending", "sending"]);
  });

  it("tells its listeners, and gives the same snapshot until something changes", () => {
    const { queue } = makeQueue();
    let told = 0;
    const leave = queue.subscribe(() => {
      told += 1;
    });
    const before = queue.snapshot();
    expect(queue.snapshot()).toBe(before);
    queue.add(files("a"), "customer_kb", MOST);
    expect(told).toBeGreaterThan(0);
    expect(queue.snapshot()).not.toBe(before);
    leave();
    const heard = told;
    queue.remove([1]);
    expect(told).toBe(heard);
  });
});
