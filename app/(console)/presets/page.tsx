import type { Metadata } from "next";
import { Suspense } from "react";
import { PRESETS_PAGE } from "@/components/presets/labels";
import { PresetsView } from "@/components/presets/presets-view";
import { PageSkeleton } from "@/components/shell/page-header";
import type { MemberContext } from "@/lib/auth/context";
import { requireMember } from "@/lib/auth/page-gate";
import { listModels } from "@/lib/models/catalogue";
import { listPresets } from "@/lib/presets/read";
import { ListPresets } from "@/lib/presets/schema";

export const metadata: Metadata = { title: "Presets" };

export default async function PresetsPage() {
  const ctx = await requireMember("/presets");
  return (
    <Suspense fallback={<PageSkeleton {...PRESETS_PAGE} label="Loading presets" />}>
      <Presets ctx={ctx} />
    </Suspense>
  );
}

async function Presets({ ctx }: { ctx: MemberContext }) {
  const page = await listPresets(ctx, ListPresets.parse({}));
  const models = listModels().map(({ id }) => id);
  return <PresetsView initialPage={page} models={models} />;
}
