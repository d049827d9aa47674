import type { AcceptedDocument } from "@/lib/library/documents/schema";
import type { Sending } from "@/lib/library/documents/send";

/** How files are uploaded. */
export type UploadOptions = Pick<Sending, "scope" | "ocr" | "replaces" | "store">;

/** The progress of an upload. Once it is accepted, its job has the rest. */
export type UploadState =
  | { at: "waiting" }
  | { at: "sending"; part: number; isInterrupted: boolean }
  | { at: "accepted"; documentId: string; jobId: string; isDuplicate: boolean }
  /** Ready, and listed with the other documents. */
  | { at: "done" }
  | { at: "rejected"; message: string }
  | { at: "canceled" };

export interface Upload extends UploadOptions {
  id: number;
  file: File;
  state: UploadState;
}

interface Options {
  send: (sending: Sending) => Promise<AcceptedDocument>;
  onAccepted: () => void;
}

/** More would only share the same bandwidth, and could exceed what a server accepts of one account at a time. */
const MAX_CONCURRENT = 2;

/** Uploads files in the order they were added. Lives outside React, so that it survives leaving the page. */
export class UploadQueue {
  private uploads: readonly Upload[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly controllers = new Map<number, AbortController>();
  private nextId = 1;

  constructor(private readonly options: Options) {}

  /** The same array until something changes. */
  readonly snapshot = (): readonly Upload[] => this.uploads;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Rejects files larger than `maxBytes` here, if it is known, before the server does. */
  add(files: readonly File[], options: UploadOptions, maxBytes = Number.POSITIVE_INFINITY): void {
    const added = files.map((file): Upload => {
      const state = rejectionOf(file, maxBytes) ?? { at: "waiting" };
      return { id: this.nextId++, file, ...options, state };
    });
    this.change([...this.uploads, ...added]);
    this.sendNext();
  }

  /** Sends a file again that was rejected or canceled, or whose job failed. */
  retry(id: number): void {
    this.set(id, { at: "waiting" });
    this.sendNext();
  }

  cancel(id: number): void {
    this.controllers.get(id)?.abort();
    this.set(id, { at: "canceled" });
    this.sendNext();
  }

  /** The document is ready. Its upload is counted, but no longer shown. */
  finish(id: number): void {
    this.set(id, { at: "done" });
  }

  /** Removes uploads from the list, canceling unfinished ones. */
  remove(ids: readonly number[]): void {
    for (const id of ids) {
      this.controllers.get(id)?.abort();
    }
    this.change(this.uploads.filter(({ id }) => !ids.includes(id)));
    this.sendNext();
  }

  private sendNext(): void {
    const sending = this.uploads.filter(({ state }) => state.at === "sending").length;
    const waiting = this.uploads.filter(({ state }) => state.at === "waiting");
    for (const upload of waiting.slice(0, Math.max(0, MAX_CONCURRENT - sending))) {
      void this.send(upload);
    }
  }

  private async send({ id, file, scope, ocr, replaces, store }: Upload): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.controllers.set(id, controller);
    const update = (state: UploadState) => signal.aborted || this.set(id, state);
    let sent = 0;
    const onProgress = (part: number) => {
      // A part that is sent again doesn't move the bar back.
      sent = Math.max(sent, part);
      update({ at: "sending", part: sent, isInterrupted: false });
    };
    const onInterrupted = () => update({ at: "sending", part: sent, isInterrupted: true });
    onProgress(0);
    try {
      const options = { scope, ocr, replaces, store };
      const calls = { onProgress, onInterrupted, signal };
      const accepted = await this.options.send({ file, ...options, ...calls });
      update({
        at: "accepted",
        documentId: accepted.id,
        jobId: accepted.job_id,
        isDuplicate: accepted.deduplicated && accepted.status === "completed",
      });
      if (!signal.aborted) {
        this.options.onAccepted();
      }
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : "The upload failed. Try again.";
      update({ at: "rejected", message });
    }
    this.sendNext();
  }

  private set(id: number, state: UploadState): void {
    this.change(this.uploads.map((upload) => (upload.id === id ? { ...upload, state } : upload)));
  }

  private change(uploads: readonly Upload[]): void {
    this.uploads = uploads;
    for (const listener of this.listeners) {
      listener();
    }
  }
}

function rejectionOf({ size }: File, maxBytes: number): UploadState | null {
  const limit = Math.floor(maxBytes / 1024 / 1024);
  const problems = [
    size > maxBytes && `The file is larger than ${limit} MB. Split it and upload the parts.`,
    size === 0 && "The file is empty. Choose a file with text.",
  ];
  const message = problems.find((problem) => problem !== false);
  return message ? { at: "rejected", message } : null;
}
