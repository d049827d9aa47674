import { PageHeader } from "@/components/shell/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { SETTINGS_PAGE } from "./labels";

const SECTIONS = ["profile", "password", "sessions"];

/** The page while its settings are being read. */
export function SettingsSkeleton() {
  return (
    <div className="max-w-5xl">
      <PageHeader {...SETTINGS_PAGE} />
      <p role="status" className="sr-only">
        Reading settings
      </p>
      <div aria-hidden className="divide-y">
        {SECTIONS.map((section) => (
          <div
            key={section}
            className="grid gap-x-10 gap-y-3 py-7 first:pt-0 lg:grid-cols-[16rem_minmax(0,1fr)]"
          >
            <Skeleton className="w-28" />
            <div className="grid gap-4 rounded-lg border bg-surface p-5">
              <Skeleton className="w-48" />
              <Skeleton className="h-9 max-w-md" />
              <Skeleton className="h-8 w-20" />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
