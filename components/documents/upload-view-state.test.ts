import { describe, expect, it } from "vitest";
import type { Job } from "@/lib/documents/schema";
import { faceOf } from "./upload-view-state";

const taken = { at: "taken", documentId: "doc_1", jobId: "job_1", isKnown: false } as const;
const job: Job = {
  id: "job_1",
  object: "kb.job",
  document_id: "doc_1",
  status: "processing",
  stage: "parsing",
  progress: 0.1,
  attempts: 1,
  error: null,
  report: null,
  created_at: "2026-11-21T00:00:00Z",
  started_at: null,
  finished_at: null,
};
const report = { pages: 3, empty_pages: 0, characters: 9, chunks: 12, tokens: 9, warnings: [] };

describe("the face of an upload", () => {
  it("moves while it is sent and while its job runs, and can be cancelled", () => {
    expect(faceOf({ state: { at: "waiting" } }, null)).toMatchObject({ part: null, isOpen: true });
    expect(faceOf({ state: { at: "sending", part: 0.459 } }, null)).toMatchObject({
      words: "45 % sent",
      part: 0.459,
      isOpen: true,
    });
    expect(faceOf({ state: taken }, job)).toMatchObject({
      words: "Reading the file",
      part: 0.1,
      isOpen: true,
      canRetry: false,
    });
  });

  it("says what became of it", () => {
    expect(faceOf({ state: taken }, { ...job, status: "completed", report })).toMatchObject({
      words: "12 passages, 3 pages",
      part: null,
      isOpen: false,
      canRetry: false,
    });
    expect(faceOf({ state: { ...taken, isKnown: true } }, null)).toMatchObject({
      words: expect.stringContaining("there already"),
      canRetry: false,
    });
  });

  it("gives the reason of a failure and another try", () => {
    const error = { code: "damaged_file", message: "The file is damaged." };
    for (const face of [
      faceOf({ state: taken }, { ...job, status: "failed", error }),
      faceOf({ state: { at: "refused", message: "The file is damaged." } }, null),
    ]) {
      expect(face).toMatchObject({
        problem: "The file is damaged.",
        canRetry: true,
        isOpen: false,
      });
    }
    for (const face of [
      faceOf({ state: taken }, { ...job, status: "cancelled" }),
      faceOf({ state: { at: "stopped" } }, null),
    ]) {
      expect(face).toMatchObject({ problem: null, canRetry: true, isOpen: false });
    }
  });
});
