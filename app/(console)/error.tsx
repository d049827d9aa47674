"use client";

import { usePathname } from "next/navigation";
import { PageHeader } from "@/components/shell/page-header";
import { PAGES } from "@/components/shell/pages";
import { ErrorState } from "@/components/shell/state";

/** Replaces a console page that failed to load, inside the console's layout. */
export default function ConsoleError({ retry }: { retry: () => void }) {
  const path = usePathname();
  const page = PAGES.find(({ href }) => path === href || path.startsWith(`${href}/`));
  return (
    <>
      <PageHeader title={page?.name ?? "Footnote"} />
      <ErrorState
        title="We couldn’t load this page"
        description="Something went wrong on our side. Your data is safe. Try again in a moment."
        onRetry={retry}
      />
    </>
  );
}
