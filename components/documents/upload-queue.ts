import type { AcceptedDocument } from "@/lib/documents/schema";
import type { Sending } from "@/lib/documents/send";

export type UploadScope = Sending["scope"];

/** Where a file is on its way; once it was taken in, its job tells the rest. */
export type UploadState =
  | { at: "waiting" }
  | { at: "sending"; part: number }
  | { at: "taken"; documentId: string; jobId: string; isKnown: boolean }
  | { at: "refused"; message: string }
  | { at: "stopped" };

export interface Upload {
  id: number;
  file: File;
  scope: UploadScope;
  state: UploadState;
}

interface Options {
  send: (sending: Sending) => Promise<AcceptedDocument>;
  /** Told of each file that was taken in. */
  onTaken: () => void;
}

/** More would only share the same line. */
const AT_ONCE = 3;

/** Files on their way to the server, in the order they were chosen. Kept while their page is left and come back to. */
export class UploadQueue {
  private uploads: readonly Upload[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly stops = new Map<number, AbortController>();
  private nextId = 1;

  constructor(private readonly options: Options) {}

  /** The same array until something changes. */
  readonly snapshot = (): readonly Upload[] => this.uploads;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Takes files up; one of more than `maxBytes` is refused here, before all of it was sent in vain. */
  add(files: readonly File[], scope: UploadScope, maxBytes: number): void {
    const added = files.map((file): Upload => {
      const id = this.nextId;
      this.nextId += 1;
      return { id, file, scope, state: refusalOf(file, maxBytes) ?? { at: "waiting" } };
    });
    this.change([...this.uploads, ...added]);
    this.sendNext();
  }

  /** Sends a file once more: one that was refused or stopped, or whose job failed. */
  retry(id: number): void {
    this.set(id, { at: "waiting" });
    this.sendNext();
  }

  stop(id: number): void {
    this.stops.get(id)?.abort();
    this.set(id, { at: "stopped" });
    this.sendNext();
  }

  /** Forgets files; those still on their way are stopped. */
  remove(ids: readonly number[]): void {
    for (const id of ids) {
      this.stops.get(id)?.abort();
    }
    this.change(this.uploads.filter(({ id }) => !ids.includes(id)));
    this.sendNext();
  }

  private sendNext(): void {
    const sending = this.uploads.filter(({ state }) => state.at === "sending").length;
    const next = this.uploads.filter(({ state }) => state.at === "waiting");
    for (const upload of next.slice(0, Math.max(0, AT_ONCE - sending))) {
      void this.send(upload);
    }
  }

  private async send({ id, file, scope }: Upload): Promise<void> {
    const stop = new AbortController();
    this.stops.set(id, stop);
    this.set(id, { at: "sending", part: 0 });
    const onProgress = (part: number) =>
      stop.signal.aborted || this.set(id, { at: "sending", part });
    try {
      const accepted = await this.options.send({ file, scope, onProgress, signal: stop.signal });
      if (!stop.signal.aborted) {
        this.set(id, {
          at: "taken",
          documentId: accepted.id,
          jobId: accepted.job_id,
          isKnown: accepted.deduplicated && accepted.status === "completed",
        });
        this.options.onTaken();
      }
    } catch (cause) {
      if (!stop.signal.aborted) {
        this.set(id, { at: "refused", message: sentenceOf(cause) });
      }
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

function refusalOf({ size }: File, maxBytes: number): UploadState | null {
  if (size > maxBytes) {
    const limit = Math.floor(maxBytes / 1024 / 1024);
    return {
      at: "refused",
      message: `The file is larger than ${limit} MB. Split it and upload the parts.`,
    };
  }
  return size > 0
    ? null
    : { at: "refused", message: "The file is empty. Choose one that has text." };
}

function sentenceOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : "The file could not be sent. Try again.";
}
