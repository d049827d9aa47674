import { describe, expect, it } from "vitest";
import type { AcceptedDocument } from "@/lib/library/documents/schema";
import type { Sending } from "@/lib/library/documents/send";
import { UploadQueue } from "./upload-queue";

/** A queue whose server the test plays, file by file. */
function makeQueue() {
  const sent = new Map<
    string,
    Sending & { accept: () => void; reject: (cause: unknown) => void }
  >();
  let accepted = 0;
  const queue = new UploadQueue({
    send: (sending) =>
      new Promise<AcceptedDocument>((resolve, reject) => {
        const { name } = sending.file;
        const accept = () =>
          resolve({
            object: "kb.document",
            id: `doc_${name}`,
            job_id: `job_${name}`,
            status: "queued",
            deduplicated: false,
          });
        sent.set(name, { ...sending, accept, reject });
      }),
    onAccepted: () => {
      accepted += 1;
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
    accepted: () => accepted,
  };
}

const MAX_BYTES = 10;
const files = (...names: string[]) => names.map((name) => new File([name], name));
/** Waits until the queue has handled the response. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe("UploadQueue", () => {
  it("sends two files at a time, and the next one when one is accepted", async () => {
    const { queue, sent, states, isSent, accepted } = makeQueue();
    queue.add(files("a", "b", "c", "d"), { scope: "customer_kb", ocr: "auto" }, MAX_BYTES);
    expect(states()).toEqual(["sending", "sending", "waiting", "waiting"]);
    sent("b").accept();
    await settled();
    expect(states()).toEqual(["sending", "accepted", "sending", "waiting"]);
    expect([isSent("c"), isSent("d")]).toEqual([true, false]);
    expect(accepted()).toBe(1);
    expect(queue.snapshot()[1]?.state).toEqual({
      at: "accepted",
      documentId: "doc_b",
      jobId: "job_b",
      isDuplicate: false,
    });
  });

  it("keeps the reason of a rejection, and retries the same file", async () => {
    const { queue, sent } = makeQueue();
    queue.add(files("a"), { scope: "personal_kb", ocr: "auto" }, MAX_BYTES);
    const first = sent("a");
    first.reject(new Error("The document is empty."));
    await settled();
    expect(queue.snapshot()[0]?.state).toEqual({
      at: "rejected",
      message: "The document is empty.",
    });
    queue.retry(1);
    const second = sent("a");
    expect([second.file, second.scope]).toEqual([first.file, "personal_kb"]);
    second.accept();
    await settled();
    expect(queue.snapshot()[0]?.state.at).toBe("accepted");
  });

  it("rejects large and empty files without sending them", async () => {
    const { queue, isSent } = makeQueue();
    queue.add(
      [new File(["x".repeat(MAX_BYTES + 1)], "large"), new File([], "empty")],
      { scope: "customer_kb", ocr: "auto" },
      MAX_BYTES,
    );
    expect(queue.snapshot().map(({ state }) => state)).toEqual([
      { at: "rejected", message: expect.stringContaining("larger than") },
      { at: "rejected", message: expect.stringContaining("empty") },
    ]);
    expect([isSent("large"), isSent("empty")]).toEqual([false, false]);
  });

  it("cancels an upload and ignores its late progress and response", async () => {
    const { queue, sent, states, isSent } = makeQueue();
    queue.add(files("a", "b", "c"), { scope: "customer_kb", ocr: "auto" }, MAX_BYTES);
    const canceled = sent("a");
    canceled.onProgress(0.5);
    expect(queue.snapshot()[0]?.state).toEqual({ at: "sending", part: 0.5, isInterrupted: false });
    queue.cancel(1);
    expect(canceled.signal.aborted).toBe(true);
    expect(isSent("c")).toBe(true);
    canceled.onProgress(0.9);
    canceled.accept();
    await settled();
    expect(states()).toEqual(["canceled", "sending", "sending"]);
  });

  it("never moves the bar back, and tells that the connection is lost", () => {
    const { queue, sent } = makeQueue();
    queue.add(files("a"), { scope: "customer_kb", ocr: "auto" }, MAX_BYTES);
    const { onProgress, onInterrupted } = sent("a");
    onProgress(0.5);
    onInterrupted();
    expect(queue.snapshot()[0]?.state).toEqual({ at: "sending", part: 0.5, isInterrupted: true });
    onProgress(0.3);
    expect(queue.snapshot()[0]?.state).toEqual({ at: "sending", part: 0.5, isInterrupted: false });
  });

  it("keeps the count of an upload whose document is ready", async () => {
    const { queue, sent, states } = makeQueue();
    queue.add(files("a"), { scope: "customer_kb", ocr: "auto" }, MAX_BYTES);
    sent("a").accept();
    await settled();
    queue.finish(1);
    expect(states()).toEqual(["done"]);
  });

  it("cancels a waiting upload without sending it", async () => {
    const { queue, sent, isSent } = makeQueue();
    queue.add(files("a", "b", "c", "d"), { scope: "customer_kb", ocr: "auto" }, MAX_BYTES);
    queue.cancel(4);
    sent("a").accept();
    await settled();
    expect(isSent("d")).toBe(false);
  });

  it("removes uploads and continues with the others", async () => {
    const { queue, sent, states } = makeQueue();
    queue.add(files("a", "b", "c", "d"), { scope: "customer_kb", ocr: "auto" }, MAX_BYTES);
    const gone = sent("a");
    queue.remove([1, 2]);
    expect(gone.signal.aborted).toBe(true);
    expect(states()).toEqual(["sending", "sending"]);
    gone.reject(new Error("aborted"));
    await settled();
    expect(states()).toEqual(["sending", "sending"]);
  });

  it("notifies listeners, and returns the same snapshot until something changes", () => {
    const { queue } = makeQueue();
    let calls = 0;
    const unsubscribe = queue.subscribe(() => {
      calls += 1;
    });
    const before = queue.snapshot();
    expect(queue.snapshot()).toBe(before);
    queue.add(files("a"), { scope: "customer_kb", ocr: "auto" }, MAX_BYTES);
    expect(calls).toBeGreaterThan(0);
    expect(queue.snapshot()).not.toBe(before);
    unsubscribe();
    const callsBefore = calls;
    queue.remove([1]);
    expect(calls).toBe(callsBefore);
  });
});
