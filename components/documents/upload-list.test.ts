import { describe, expect, it } from "vitest";
import type { Job } from "@/lib/library/documents/schema";
import { uploadView } from "./upload-list";

const accepted = {
  at: "accepted",
  documentId: "doc_1",
  jobId: "job_1",
  isDuplicate: false,
} as const;
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

describe("uploadView", () => {
  it("shows progress while the upload and its job run", () => {
    expect(uploadView({ state: { at: "waiting" } }, null)).toMatchObject({
      part: 0,
      isOpen: true,
    });
    expect(
      uploadView({ state: { at: "sending", part: 0.459, isInterrupted: false } }, null),
    ).toMatchObject({
      detail: "45% uploaded",
      part: 0.459 / 2,
      isOpen: true,
    });
    expect(uploadView({ state: accepted }, job)).toMatchObject({
      detail: "Reading file",
      part: 0.55,
      isOpen: true,
      canRetry: false,
    });
  });

  it("says that it waits for the connection", () => {
    const state = { at: "sending", part: 0.5, isInterrupted: true } as const;
    expect(uploadView({ state }, null)).toMatchObject({
      detail: expect.stringContaining("Connection lost"),
      part: 0.25,
      isOpen: true,
    });
  });

  it("shows one bar that never goes back", () => {
    const steps = [
      uploadView({ state: { at: "waiting" } }, null),
      uploadView({ state: { at: "sending", part: 0, isInterrupted: false } }, null),
      uploadView({ state: { at: "sending", part: 1, isInterrupted: false } }, null),
      uploadView({ state: accepted }, null),
      uploadView({ state: accepted }, { ...job, status: "queued", progress: 0 }),
      uploadView({ state: accepted }, job),
      uploadView({ state: accepted }, { ...job, progress: 0.8 }),
    ].map(({ part }) => part);
    expect(steps).toEqual(steps.toSorted());
    expect(steps.every((part) => part !== null && part >= 0 && part <= 1)).toBe(true);
  });

  it("shows the result", () => {
    expect(uploadView({ state: accepted }, { ...job, status: "completed", report })).toMatchObject({
      detail: "12 passages, 3 pages",
      part: null,
      isOpen: false,
      canRetry: false,
    });
    expect(uploadView({ state: { ...accepted, isDuplicate: true } }, null)).toMatchObject({
      detail: expect.stringContaining("Already uploaded"),
      canRetry: false,
    });
  });

  it("shows why an upload failed and offers a retry", () => {
    const error = { code: "damaged_file", message: "The file is damaged." };
    for (const view of [
      uploadView({ state: accepted }, { ...job, status: "failed", error }),
      uploadView({ state: { at: "rejected", message: "The file is damaged." } }, null),
    ]) {
      expect(view).toMatchObject({
        problem: "The file is damaged.",
        canRetry: true,
        isOpen: false,
      });
    }
    for (const view of [
      uploadView({ state: accepted }, { ...job, status: "cancelled" }),
      uploadView({ state: { at: "canceled" } }, null),
    ]) {
      expect(view).toMatchObject({ problem: null, canRetry: true, isOpen: false });
    }
  });
});
