import { infiniteQueryOptions } from "@tanstack/react-query";
import { fetchJson } from "@/lib/fetch-json";

/** The account's audit events, newest first; only for owners. */
export const activityQuery = infiniteQueryOptions({
  queryKey: ["activity"],
  queryFn: ({ pageParam, signal }) =>
    fetchJson(
      pageParam
        ? `/api/settings/activity?after=${encodeURIComponent(pageParam)}`
        : "/api/settings/activity",
      { schema: async () => (await import("./schema")).EventPage, signal },
    ),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});
