import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { refreshLists } from "@/lib/library/documents/client";
import { sendDocument } from "@/lib/library/documents/send";
import { type Upload, UploadQueue } from "./upload-queue";

const NONE: readonly Upload[] = [];
/** One per console, so that uploads continue on other pages. */
const queues = new WeakMap<QueryClient, UploadQueue>();

function queueOf(client: QueryClient): UploadQueue {
  const existing = queues.get(client);
  if (existing) {
    return existing;
  }
  const queue = new UploadQueue({ send: sendDocument, onAccepted: () => refreshLists(client) });
  queues.set(client, queue);
  return queue;
}

export function useUploads(): { queue: UploadQueue; uploads: readonly Upload[] } {
  const queue = queueOf(useQueryClient());
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot, () => NONE);
  return { queue, uploads };
}

/** Documents whose uploads are listed above the list, so that each file is shown once. */
export function uploadingIds(uploads: readonly Upload[]): Set<string> {
  return new Set(
    uploads.flatMap(({ state }) =>
      state.at === "accepted" && !state.isDuplicate ? state.documentId : [],
    ),
  );
}
