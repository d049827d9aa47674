import { AppError } from "@/lib/errors";
import { env } from "@/lib/platform/env";
import { processSingleton } from "@/lib/singleton";

/** The part of a process's uploads and bytes that one account may use. */
const ACCOUNT_SHARE = 0.5;
const WAIT_MS = 5000;
const RETRY_AFTER_SECONDS = "5";

interface Load {
  uploads: number;
  bytes: number;
}

interface UploadRequest {
  accountId: string;
  /** The most it will hold in memory. */
  bytes: number;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

const NO_LOAD: Load = { uploads: 0, bytes: 0 };

const slots = processSingleton("uploads in flight", () =>
  createUploadSlots({
    uploads: env.MAX_CONCURRENT_UPLOADS,
    bytes: env.MAX_CONCURRENT_UPLOAD_BYTES,
    waitMs: WAIT_MS,
  }),
);

/**
 * Reserves memory for an upload before its body is read, and returns the function that releases it. Waits a little for
 * others to end, then throws rate_limit_exceeded if the account has its share, or else service_unavailable.
 */
export function acquireUpload(request: UploadRequest): Promise<() => void> {
  return slots.acquire(request);
}

/** The number of uploads in flight in this process. */
export function countUploads(): number {
  return slots.count();
}

/** First come, first served, except that uploads beyond their account's share let others pass. */
export function createUploadSlots({ waitMs, ...most }: Load & { waitMs: number }) {
  const share = { uploads: most.uploads * ACCOUNT_SHARE, bytes: most.bytes * ACCOUNT_SHARE };
  let total = NO_LOAD;
  const byAccount = new Map<string, Load>();
  const queue = new Set<UploadRequest & { admit: () => void }>();

  const loadOf = ({ accountId }: UploadRequest) => byAccount.get(accountId) ?? NO_LOAD;
  const exceedsShare = (request: UploadRequest) => !fits(loadOf(request), request.bytes, share);

  function change(request: UploadRequest, by: 1 | -1): void {
    const load = added(loadOf(request), request.bytes, by);
    total = added(total, request.bytes, by);
    byAccount.set(request.accountId, load);
    if (load.uploads === 0) {
      byAccount.delete(request.accountId);
    }
  }

  function admitNext(): void {
    for (const waiting of queue) {
      if (exceedsShare(waiting)) {
        continue;
      }
      if (!fits(total, waiting.bytes, most)) {
        return;
      }
      queue.delete(waiting);
      change(waiting, 1);
      waiting.admit();
    }
  }

  function releaseOnce(request: UploadRequest): () => void {
    let isHeld = true;
    return () => {
      if (isHeld) {
        isHeld = false;
        change(request, -1);
        admitNext();
      }
    };
  }

  async function acquire(request: UploadRequest): Promise<() => void> {
    const { signal } = request;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const admit = () => {
        stop();
        resolve(releaseOnce(request));
      };
      const waiting = { ...request, admit };
      const giveUp = (reason: unknown) => {
        stop();
        queue.delete(waiting);
        reject(reason);
        // It may have been the first in line.
        admitNext();
      };
      const onAbort = () => giveUp(signal.reason);
      const timer = setTimeout(() => giveUp(refusal(exceedsShare(request), share)), waitMs);
      signal.addEventListener("abort", onAbort);
      queue.add(waiting);
      admitNext();
    });
  }

  return { acquire, count: () => total.uploads };
}

/** An upload of any permitted size fits when there is no other. */
function fits({ uploads, bytes }: Load, moreBytes: number, most: Load): boolean {
  return uploads === 0 || (uploads + 1 <= most.uploads && bytes + moreBytes <= most.bytes);
}

function added({ uploads, bytes }: Load, moreBytes: number, by: 1 | -1): Load {
  return { uploads: uploads + by, bytes: bytes + by * moreBytes };
}

function refusal(isOverShare: boolean, share: Load): AppError {
  const headers = { "retry-after": RETRY_AFTER_SECONDS };
  if (!isOverShare) {
    const message = "The server is receiving too many uploads. Wait a few seconds and try again.";
    return new AppError("service_unavailable", message, { headers });
  }
  const uploads = Math.max(1, Math.floor(share.uploads));
  const megabytes = Math.floor(share.bytes / 1024 / 1024);
  return new AppError(
    "rate_limit_exceeded",
    `The account has reached its limit on uploads in flight: ${uploads}, or ${megabytes} MB together. Wait for one to end, then try again.`,
    { headers },
  );
}
