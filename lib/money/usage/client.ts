import { infiniteQueryOptions, queryOptions, useMutation } from "@tanstack/react-query";
import { fetchJson } from "@/lib/fetch-json";
import { type ChartGroup, filterQuery, type UsageFilter } from "./filter";

const STALE_MS = 5000;
/** Longer lists are not refetched when the window regains focus. */
const MAX_REFRESHED_PAGES = 3;
const PAGE_SIZE = "100";

/** Requests matching a filter, newest first. */
export function requestsQuery(filter: UsageFilter) {
  return infiniteQueryOptions({
    queryKey: ["usage", "requests", filterQuery(filter)],
    queryFn: ({ pageParam, signal }) =>
      fetchJson(endpoint("/api/usage", filter, pageParam), {
        schema: async () => (await import("./schema")).RequestPage,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: STALE_MS,
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= MAX_REFRESHED_PAGES,
  });
}

/** Totals of the matching requests, overall and by hour or day, also by group. */
export function summaryQuery(filter: UsageFilter, group?: ChartGroup) {
  return queryOptions({
    queryKey: ["usage", "summary", filterQuery(filter), group ?? ""],
    queryFn: ({ signal }) => {
      const path = endpoint("/api/usage/summary", filter);
      const grouping = group ? `${path.includes("?") ? "&" : "?"}group_by=${group}` : "";
      return fetchJson(path + grouping, {
        schema: async () => (await import("./schema")).UsageSummary,
        signal,
      });
    },
    staleTime: STALE_MS,
  });
}

/** Downloads the matching requests as CSV. */
export function exportUrl(filter: UsageFilter): string {
  return endpoint("/api/usage/export", filter);
}

export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  queryFn: ({ signal }) =>
    fetchJson("/api/overview", {
      schema: async () => (await import("./overview-schema")).Overview,
      signal,
    }),
  staleTime: STALE_MS,
});

/** Dismisses or restores the onboarding checklist in this browser. */
export function useDismissSteps() {
  return useMutation({
    mutationFn: (isDismissed: boolean) =>
      fetchJson("/api/overview/steps", {
        schema: async () => (await import("./overview-schema")).OnboardingDismissed,
        method: "POST",
        body: { is_dismissed: isDismissed },
      }),
  });
}

export function useDeleteAnswer() {
  return useMutation({
    mutationFn: (id: string) =>
      fetchJson(`/api/usage/answers/${encodeURIComponent(id)}`, {
        schema: async () => (await import("./schema")).AnswerDeleted,
        method: "DELETE",
      }),
  });
}

function endpoint(path: string, filter: UsageFilter, after?: string | null): string {
  const params = new URLSearchParams(filterQuery(filter));
  if (after) {
    params.set("after", after);
    params.set("limit", PAGE_SIZE);
  }
  const search = params.toString();
  return search ? `${path}?${search}` : path;
}
