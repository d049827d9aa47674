import type { LibraryFilter } from "@/lib/library/documents/client";
import type { LibraryStore } from "@/lib/library/documents/store-schema";
import { toLibraryFilter } from "./filter";
import { SCOPE_LABELS } from "./labels";

/** An open dialog: to create a store or rename one, or to delete one. */
export type StoreDialog =
  | { kind: "save"; store: LibraryStore | null }
  | { kind: "delete"; store: LibraryStore };

/** An entry of the list of stores. */
export interface StoreChoice {
  /** Empty: all documents. */
  id: string;
  name: string;
  group: string;
  files: number | null;
  isExpired: boolean;
}

/** A store without a name is shown with its id. */
export function storeName({
  id,
  name,
  scope,
}: Pick<LibraryStore, "id" | "name" | "scope">): string {
  return id === scope ? SCOPE_LABELS[scope].name : name || id;
}

/** All documents, the knowledge bases, then the stores. A member's personal one exists once something is in it. */
export function choicesOf(stores: readonly LibraryStore[]): StoreChoice[] {
  const bases = (["customer_kb", "personal_kb"] as const).map((scope) => ({
    ...{ id: scope, name: SCOPE_LABELS[scope].name, group: "Knowledge bases", isExpired: false },
    files: stores.find(({ id }) => id === scope)?.file_counts.total ?? 0,
  }));
  const own = stores.filter(({ id, scope }) => id !== scope);
  return [
    { id: "", name: "All documents", group: "Knowledge bases", files: null, isExpired: false },
    ...bases,
    ...own.map((store) => ({
      ...{ id: store.id, name: storeName(store), group: "Vector stores" },
      ...{ files: store.file_counts.total, isExpired: store.status === "expired" },
    })),
  ];
}

/** Those whose name or id has the text, in upper or lower case. */
export function matching<T extends { id: string; name: string }>(
  choices: readonly T[],
  text: string,
): T[] {
  const wanted = text.trim().toLowerCase();
  return choices.filter(
    ({ id, name }) => name.toLowerCase().includes(wanted) || (wanted !== "" && id === wanted),
  );
}

/** The filter with another store or knowledge base. */
export function filterFor(id: string, { store, scope, ...rest }: LibraryFilter): LibraryFilter {
  return toLibraryFilter({ ...rest, [id.startsWith("vs_") ? "store" : "scope"]: id });
}
