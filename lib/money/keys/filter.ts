/** `expiring`: usable, and expires within EXPIRING_DAYS. */
export const KEY_STATUSES = ["usable", "expiring", "expired", "revoked"] as const;
export type KeyStatusFilter = (typeof KEY_STATUSES)[number];

/** From this many days before a key expires, the console warns. */
export const EXPIRING_DAYS = 14;

export const KEY_MODES = ["live", "test"] as const;

/** Selects keys of the account. */
export interface KeyFilter {
  search?: string | undefined;
  mode?: (typeof KEY_MODES)[number] | undefined;
  status?: KeyStatusFilter | undefined;
}

const LONGEST_SEARCH = 100;

/** The filter in a page's address. Invalid values are ignored. */
export function readKeyFilter(params: URLSearchParams): KeyFilter {
  const filter: KeyFilter = {
    search: params.get("search")?.slice(0, LONGEST_SEARCH) || undefined,
    mode: KEY_MODES.find((mode) => mode === params.get("mode")),
    status: KEY_STATUSES.find((status) => status === params.get("status")),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** The filter as a query string, in a fixed order. */
export function keyFilterQuery({ search, mode, status }: KeyFilter): string {
  const set = Object.entries({ search, mode, status }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return new URLSearchParams(set).toString();
}
