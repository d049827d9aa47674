import Link from "next/link";
import { addressOf, type DocPage, neighboursOf } from "./pages";

/** The pages before and after this one. */
export function Pager({ slug }: { slug: string }) {
  const { previous, next } = neighboursOf(slug);
  return (
    <nav aria-label="Previous and next page" className="grid gap-3 border-t pt-6 sm:grid-cols-2">
      {previous && <Step page={previous} says="Previous" />}
      {next && <Step page={next} says="Next" />}
    </nav>
  );
}

function Step({ page, says }: { page: DocPage; says: "Previous" | "Next" }) {
  return (
    <Link
      href={addressOf(page)}
      rel={says === "Next" ? "next" : "prev"}
      className="grid gap-0.5 rounded-md border bg-surface px-4 py-3 hover:bg-sunken data-[says=Next]:sm:col-start-2 data-[says=Next]:sm:text-right"
      data-says={says}
    >
      <span className="text-muted text-xs">{says}</span>
      <span className="font-medium">{page.label}</span>
    </Link>
  );
}
