import { infiniteQueryOptions, queryOptions, useMutation } from "@tanstack/react-query";
import { fetchJson } from "@/lib/fetch-json";
import { filterQuery, type UsageFilter } from "./filter";

/** Requests come in all the time; what is older than this is read again when it is looked at. */
const STALE_MS = 5000;
/** A long list is not read again as a whole because somebody came back to its window. */
const MAX_REFRESHED_PAGES = 3;
const PAGE_SIZE = "100";

/** The account's requests of a filter, those that ended last first, page by page. */
export function requestsQuery(filter: UsageFilter) {
  return infiniteQueryOptions({
    queryKey: ["usage", "requests", filterQuery(filter)],
    queryFn: ({ pageParam, signal }) =>
      fetchJson(door("/api/usage", filter, pageParam), {
        schema: async () => (await import("./schema")).RequestPage,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: STALE_MS,
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= MAX_REFRESHED_PAGES,
  });
}

/** What the requests of a filter come to, in all and by day. */
export function summaryQuery(filter: UsageFilter) {
  return queryOptions({
    queryKey: ["usage", "summary", filterQuery(filter)],
    queryFn: ({ signal }) =>
      fetchJson(door("/api/usage/summary", filter), {
        schema: async () => (await import("./schema")).UsageSummary,
        signal,
      }),
    staleTime: STALE_MS,
  });
}

/** Where the requests of a filter are downloaded as CSV. */
export function exportUrl(filter: UsageFilter): string {
  return door("/api/usage/export", filter);
}

/** The account at a glance. */
export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  queryFn: ({ signal }) =>
    fetchJson("/api/overview", {
      schema: async () => (await import("./schema")).Overview,
      signal,
    }),
  staleTime: STALE_MS,
});

/** Puts the first steps away in this browser, or brings them back. */
export function useDismissSteps() {
  return useMutation({
    mutationFn: (isDismissed: boolean) =>
      fetchJson("/api/overview/steps", {
        schema: async () => (await import("./schema")).OnboardingDismissed,
        method: "POST",
        body: { is_dismissed: isDismissed },
      }),
  });
}

/** Deletes the stored answer with this completion id. */
export function useDeleteAnswer() {
  return useMutation({
    mutationFn: (id: string) =>
      fetchJson(`/api/usage/answers/${encodeURIComponent(id)}`, {
        schema: async () => (await import("./schema")).AnswerDeleted,
        method: "DELETE",
      }),
  });
}

function door(path: string, filter: UsageFilter, after?: string | null): string {
  const params = new URLSearchParams(filterQuery(filter));
  if (after) {
    params.set("after", after);
    params.set("limit", PAGE_SIZE);
  }
  const search = params.toString();
  return search ? `${path}?${search}` : path;
}
