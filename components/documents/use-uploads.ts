import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { refreshLists } from "@/lib/library/documents/client";
import { sendDocument } from "@/lib/library/documents/send";
import { oncePer } from "@/lib/text/memoized";
import { type Upload, UploadQueue } from "./upload-queue";

const NONE: readonly Upload[] = [];
/** One per console, so that uploads continue on other pages. */
const queueOf = oncePer(
  (client: QueryClient) =>
    new UploadQueue({ send: sendDocument, onAccepted: () => refreshLists(client) }),
);

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
