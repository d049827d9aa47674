import type { Metadata } from "next";
import { PRESETS_PAGE } from "@/components/presets/labels";
import { PresetsView } from "@/components/presets/presets-view";
import { PageContent } from "@/components/shell/page-content";
import { PageHeader } from "@/components/shell/page-header";
import { PageSkeleton } from "@/components/shell/page-skeleton";
import { Skeleton } from "@/components/ui/skeleton";
import { listPresets } from "@/lib/answers/presets/read";
import { ListPresets } from "@/lib/answers/presets/schema";
import { listModels } from "@/lib/models/catalogue";
import type { MemberContext } from "@/lib/platform/auth/context";
import { requireMember } from "@/lib/platform/auth/page-gate";

export const metadata: Metadata = { title: "Presets" };

export default async function PresetsPage() {
  const ctx = await requireMember("/presets");
  return (
    <PageContent
      view={Presets({ ctx })}
      skeleton={
        <PageSkeleton
          header={<PageHeader {...PRESETS_PAGE} actions={<Skeleton className="h-8 w-34" />} />}
          label="Loading presets"
          blocks={[{ list: 5 }]}
        />
      }
    />
  );
}

async function Presets({ ctx }: { ctx: MemberContext }) {
  const page = await listPresets(ctx, ListPresets.parse({}));
  const models = listModels().map(({ id }) => id);
  return <PresetsView initialPage={page} models={models} />;
}
