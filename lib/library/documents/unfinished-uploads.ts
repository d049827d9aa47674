/** An upload in parts that this tab has begun. */
interface Unfinished {
  id: string;
  file: string;
}

const NAME = "footnote.uploads";

/** Uploads of this tab that were interrupted, also by a reload. Choosing the same file again continues its upload. */
export function listUnfinished(): Unfinished[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(NAME) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isUnfinished) : [];
  } catch {
    // Storage is turned off, or isn't ours.
    return [];
  }
}

export function findUnfinished(file: File): string | null {
  return listUnfinished().find((each) => each.file === fingerprint(file))?.id ?? null;
}

export function rememberUpload(file: File, id: string): void {
  store([...listUnfinished().filter((each) => each.id !== id), { id, file: fingerprint(file) }]);
}

export function forgetUpload(id: string): void {
  store(listUnfinished().filter((each) => each.id !== id));
}

/** Without a schema: its library would be a fifth of the page's scripts. */
function isUnfinished(value: Partial<Unfinished> | null): value is Unfinished {
  return typeof value?.id === "string" && typeof value.file === "string";
}

/** Tells files apart without reading them. */
function fingerprint({ name, size, lastModified }: File): string {
  return `${name}|${size}|${lastModified}`;
}

function store(uploads: Unfinished[]): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(uploads));
  } catch {
    // Then a reload starts again.
  }
}
