import type { Metadata } from "next";
import { DOCUMENTS_SKELETON } from "@/components/documents/documents-skeleton";
import { DocumentsView } from "@/components/documents/documents-view";
import { toLibraryFilter } from "@/components/documents/filter";
import { PageContent } from "@/components/shell/page-content";
import type { LibraryFilter } from "@/lib/library/documents/client";
import { FindDocuments } from "@/lib/library/documents/library-schema";
import {
  listLibrary,
  listSourceTypes,
  toReaderContext,
} from "@/lib/library/documents/read/documents";
import { listLibraryStores } from "@/lib/library/documents/read/stores";
import { microsToUsd } from "@/lib/money/billing/money";
import { searchCost } from "@/lib/money/billing/rates";
import type { MemberContext } from "@/lib/platform/auth/context";
import { requireMember } from "@/lib/platform/auth/page-gate";
import { env } from "@/lib/platform/env";

export const metadata: Metadata = { title: "Documents" };

type Search = Record<string, string | string[] | undefined>;

export default async function DocumentsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const search = await searchParams;
  const filter = toLibraryFilter(search);
  const ctx = await requireMember(search.upload === "1" ? "/documents?upload=1" : "/documents");
  return <PageContent view={Documents({ ctx, filter })} skeleton={DOCUMENTS_SKELETON} />;
}

async function Documents({ ctx, filter }: { ctx: MemberContext; filter: LibraryFilter }) {
  const reader = await toReaderContext(ctx);
  const [page, sourceTypes, stores] = await Promise.all([
    listLibrary(reader, FindDocuments.parse(filter)),
    listSourceTypes(reader),
    listLibraryStores(ctx),
  ]);
  return (
    <DocumentsView
      initial={{ page, filter, stores }}
      sourceTypes={sourceTypes}
      maxBytes={env.MAX_UPLOAD_BYTES}
      searchUsd={microsToUsd(searchCost())}
    />
  );
}
