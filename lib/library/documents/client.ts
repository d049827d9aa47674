import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import DataLoader from "dataloader";
import { notFound } from "@/lib/errors";
import { cursorPages, fetchJson } from "@/lib/fetch-json";
import type { FindDocuments, TextQuery, TextWindow, UpdateDocuments } from "./library-schema";
import type { Job, UpdateDocument } from "./schema";
import type { ChangeMembership } from "./store-schema";

export type LibraryFilter = Partial<
  Pick<FindDocuments, "scope" | "store" | "status" | "format" | "source_type" | "title">
>;

const LISTS = ["documents", "list"];
const POLL_MS = 1000;
const REFRESH_MS = 1000;

export function libraryQuery(filter: LibraryFilter) {
  return infiniteQueryOptions({
    queryKey: [...LISTS, filter],
    ...cursorPages(
      "/api/documents",
      async () => (await import("./library-schema")).LibraryPage,
      filter,
    ),
  });
}

/** The member's vector stores, refreshed with the lists of documents. */
export function libraryStoresQuery() {
  return queryOptions({
    queryKey: [...LISTS, "stores"],
    queryFn: ({ signal }) =>
      fetchJson("/api/stores", {
        schema: async () => (await import("./store-schema")).LibraryStoreList,
        signal,
      }),
  });
}

/** Creates a store, or renames the one with the id. */
export function useSaveStore() {
  return useListMutation(
    ({ id, ...body }: { id?: string | undefined; name: string; scope: string }) =>
      fetchJson(id ? storePath(id) : "/api/stores", {
        schema: async () => (await import("./store-schema")).VectorStore,
        method: id ? "PATCH" : "POST",
        body: id ? { name: body.name } : body,
      }),
  );
}

export function useDeleteStore() {
  return useListMutation((id: string) =>
    fetchJson(storePath(id), {
      schema: async () => (await import("./store-schema")).DeletedVectorStore,
      method: "DELETE",
    }),
  );
}

/** Adds documents to stores and removes them from others. */
export function useChangeMembership() {
  return useListMutation((body: ChangeMembership) =>
    fetchJson("/api/documents/stores", {
      schema: async () => (await import("./store-schema")).ChangedMembership,
      body,
    }),
  );
}

function storePath(id: string): string {
  return `/api/stores/${encodeURIComponent(id)}`;
}

/** Refetches the lists, at most once per second, because many uploads may end together. */
export function refreshLists(client: QueryClient): void {
  if (!refreshing.has(client)) {
    refreshing.add(client);
    setTimeout(() => {
      refreshing.delete(client);
      void client.invalidateQueries({ queryKey: LISTS });
    }, REFRESH_MS);
  }
}

const refreshing = new WeakSet<QueryClient>();

/** The endpoint's limit. */
const MAX_JOB_IDS = 100;
const BATCH_WINDOW_MS = 50;

/** Reads jobs. Calls within a short window share one request. Rejects with not_found. */
const jobLoader = new DataLoader<string, Job>(
  async (ids) => {
    const { data } = await fetchJson(`/api/documents/jobs?ids=${[...new Set(ids)].join(",")}`, {
      schema: async () => (await import("./library-schema")).JobList,
    });
    const jobs = new Map(data.map((job) => [job.id, job]));
    return ids.map((id) => jobs.get(id) ?? notFound("This job is gone. Reload the list."));
  },
  {
    cache: false,
    maxBatchSize: MAX_JOB_IDS,
    batchScheduleFn: (load) => setTimeout(load, BATCH_WINDOW_MS),
  },
);

/** Polls a job until it ends, then refreshes the lists. */
export function jobQuery(id: string) {
  return queryOptions({
    queryKey: ["documents", "job", id],
    queryFn: async ({ client, queryKey }) => {
      const loaded = await jobLoader.load(id);
      // Another attempt starts over, but its progress bar doesn't go back.
      const shown = client.getQueryData<Job>(queryKey)?.progress ?? 0;
      const job = { ...loaded, progress: Math.max(loaded.progress, shown) };
      if (job.finished_at) {
        refreshLists(client);
      }
      return job;
    },
    refetchInterval: ({ state }) => (state.data?.finished_at ? false : POLL_MS),
    // An ended job never changes.
    staleTime: ({ state }) => (state.data?.finished_at ? Number.POSITIVE_INFINITY : 0),
  });
}

/** An upload in parts that may go on. */
export function unfinishedQuery(id: string) {
  return queryOptions({
    queryKey: ["documents", "upload", id],
    queryFn: async () => (await import("./send")).getOwnUpload(id),
    retry: false,
  });
}

export function useCancelJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      fetchJson(`/api/documents/jobs/${encodeURIComponent(id)}/cancel`, {
        schema: async () => (await import("./schema")).Job,
        method: "POST",
      }),
    onSuccess: (job: Job) => client.setQueryData(jobQuery(job.id).queryKey, job),
    // If the job ended meanwhile, it can't be canceled. The lists show its state.
    onSettled: () => refreshLists(client),
  });
}

/** A change that the lists show, even if it fails after a part of it. */
function useListMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: LISTS }),
  });
}

export function useDeleteDocument() {
  return useListMutation((id: string) =>
    fetchJson(pathOf(id), {
      schema: async () => (await import("./schema")).DeletedDocument,
      method: "DELETE",
    }),
  );
}

/** Changes a document's description. */
export function useEditDocument(id: string) {
  return useListMutation((body: UpdateDocument) =>
    fetchJson(pathOf(id), {
      schema: async () => (await import("./schema")).Document,
      method: "PATCH",
      body,
    }),
  );
}

export function useDeleteDocuments() {
  return useListMutation((ids: string[]) =>
    fetchJson("/api/documents/delete", {
      schema: async () => (await import("./delete-schema")).DeletedDocuments,
      body: { ids },
    }),
  );
}

/** Gives several documents a source type or a standing. */
export function useUpdateDocuments() {
  return useListMutation((body: UpdateDocuments) =>
    fetchJson("/api/documents/update", {
      schema: async () => (await import("./library-schema")).UpdatedDocuments,
      body,
    }),
  );
}

/** A document's text, from the first window in both directions. */
export function textQuery(id: string, first: TextQuery) {
  return infiniteQueryOptions({
    queryKey: ["documents", "text", id, first],
    queryFn: ({ pageParam, signal }) => {
      const [[name, place] = []] = Object.entries(pageParam);
      return fetchJson(`${pathOf(id)}/text?${name}=${place}`, {
        schema: async () => (await import("./library-schema")).TextWindow,
        signal,
      });
    },
    initialPageParam: first,
    getNextPageParam: (page: TextWindow): TextQuery | null =>
      page.end < page.length ? { from: page.end } : null,
    getPreviousPageParam: (page: TextWindow): TextQuery | null =>
      page.start > 0 ? { to: page.start } : null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function pathOf(id: string): string {
  return `/api/documents/${encodeURIComponent(id)}`;
}
