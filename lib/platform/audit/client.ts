import { infiniteQueryOptions } from "@tanstack/react-query";
import { cursorPages } from "@/lib/fetch-json";

/** The account's audit events, newest first; only for owners. */
export const activityQuery = infiniteQueryOptions({
  queryKey: ["activity"],
  ...cursorPages("/api/settings/activity", async () => (await import("./schema")).EventPage),
});
