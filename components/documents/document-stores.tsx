import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { StaleNotice } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { libraryStoresQuery } from "@/lib/library/documents/client";
import type { ListedDocument } from "@/lib/library/documents/library-schema";
import { storeName } from "./store-names";

interface DocumentStoresProps {
  document: ListedDocument;
  onChange: () => void;
}

/** The vector stores that a document is in. */
export function DocumentStores({ document, onChange }: DocumentStoresProps) {
  const query = useQuery({ ...libraryStoresQuery(), enabled: document.stores.length > 0 });
  const nameOf = (id: string) => {
    const store = query.data?.data.find((each) => each.id === id);
    return store ? storeName(store) : id;
  };
  return (
    <section
      aria-labelledby="stores"
      className="flex min-w-0 flex-wrap items-center gap-2 rounded-lg border bg-surface p-4"
    >
      <h2 id="stores" className="mr-1 text-muted text-xs">
        Vector stores
      </h2>
      {document.stores.length === 0 && <p className="text-muted">In none</p>}
      {document.stores.map((id) => (
        <Link
          key={id}
          href={`/documents?store=${id}`}
          className="max-w-full truncate rounded bg-sunken px-1.5 py-0.5 text-xs underline-offset-4 hover:underline"
        >
          {nameOf(id)}
        </Link>
      ))}
      <Button size="sm" onClick={onChange} className="ml-auto print:hidden">
        Change stores
      </Button>
      <StaleNotice query={query} title="The names of stores may be out of date." />
    </section>
  );
}
