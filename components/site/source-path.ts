const REF = /^\d+-\d+-[0-9a-f]{12}$/;

/** The public page of a document of public_kb, at a permalink's quote if it has one. */
export function sourcePath(documentId: string, permalink: string | null): string {
  const ref =
    permalink && URL.canParse(permalink) ? new URL(permalink).searchParams.get("quote") : null;
  const path = `/sources/${encodeURIComponent(documentId)}`;
  return ref && REF.test(ref) ? `${path}?quote=${ref}` : path;
}
