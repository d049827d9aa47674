import type { Metadata } from "next";
import { KEYS_SKELETON } from "@/components/keys/keys-skeleton";
import { KeysView } from "@/components/keys/keys-view";
import { PageContent } from "@/components/shell/page-content";
import { listMemberStores } from "@/lib/library/documents/read/stores";
import { type KeyFilter, readKeyFilter } from "@/lib/money/keys/filter";
import { keyOptions } from "@/lib/money/keys/options";
import { listKeys } from "@/lib/money/keys/read";
import { ListKeys } from "@/lib/money/keys/schema";
import type { MemberContext } from "@/lib/platform/auth/context";
import { requireMember } from "@/lib/platform/auth/page-gate";

export const metadata: Metadata = { title: "API keys" };

type Search = Record<string, string | string[] | undefined>;

export default async function KeysPage({ searchParams }: { searchParams: Promise<Search> }) {
  const search = toParams(await searchParams);
  const query = search.toString();
  const ctx = await requireMember(query ? `/keys?${query}` : "/keys");
  const view = Keys({ ctx, filter: readKeyFilter(search) });
  return <PageContent view={view} skeleton={KEYS_SKELETON} />;
}

async function Keys({ ctx, filter }: { ctx: MemberContext; filter: KeyFilter }) {
  const [initialPage, stores] = await Promise.all([
    listKeys(ctx, ListKeys.parse(filter)),
    listMemberStores(ctx),
  ]);
  return <KeysView initialPage={initialPage} filter={filter} {...keyOptions(ctx, stores)} />;
}

/** What the page reads from its URL, so that signing in keeps it. */
function toParams(search: Search): URLSearchParams {
  return new URLSearchParams(
    ["create", "search", "mode", "status"].flatMap((name) => {
      const value = search[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}
