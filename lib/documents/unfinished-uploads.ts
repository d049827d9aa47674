import * as z from "zod";

/** An upload in parts that this tab has begun. */
const Unfinished = z.object({ id: z.string(), file: z.string() });
type Unfinished = z.infer<typeof Unfinished>;

const NAME = "footnote.uploads";

/** Uploads of this tab that were interrupted, also by a reload. Choosing the same file again continues its upload. */
export function listUnfinished(): Unfinished[] {
  try {
    return Unfinished.array().parse(JSON.parse(sessionStorage.getItem(NAME) ?? "[]"));
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
