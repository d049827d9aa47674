"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { refreshLists } from "@/lib/documents/client";
import { sendDocument } from "@/lib/documents/send";
import { type Upload, UploadQueue } from "./upload-queue";

const NONE: readonly Upload[] = [];
/** One for each console: an upload goes on while another page is looked at. */
const queues = new WeakMap<QueryClient, UploadQueue>();

/** The member's uploads of this visit, and what can be done with them. */
export function useUploads(): { uploads: readonly Upload[]; queue: UploadQueue } {
  const queue = queueOf(useQueryClient());
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot, () => NONE);
  return { uploads, queue };
}

function queueOf(client: QueryClient): UploadQueue {
  const known = queues.get(client);
  if (known) {
    return known;
  }
  const queue = new UploadQueue({ send: sendDocument, onTaken: () => refreshLists(client) });
  queues.set(client, queue);
  return queue;
}
