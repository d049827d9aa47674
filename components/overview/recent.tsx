import { ChartNoAxesColumn } from "lucide-react";
import Link from "next/link";
import { EmptyState } from "@/components/shell/state";
import { buttonLook } from "@/components/ui/button";
import { RequestTable } from "@/components/usage/request-table";
import type { Overview } from "@/lib/usage/schema";

/** The newest requests, and the way to all of them. */
export function Recent({ recent }: Pick<Overview, "recent">) {
  return (
    <section aria-labelledby="recent" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="recent" className="font-medium text-base">
          Recent requests
        </h2>
        {recent.length > 0 && (
          <Link href="/usage" className={buttonLook({ size: "sm" })}>
            All requests
          </Link>
        )}
      </div>
      {recent.length > 0 ? (
        <RequestTable requests={recent} />
      ) : (
        <EmptyState
          icon={ChartNoAxesColumn}
          title="No requests yet"
          description="Ask a question in the playground, or call the API with your key."
          action={
            <Link href="/playground" className={buttonLook()}>
              Open the playground
            </Link>
          }
        />
      )}
    </section>
  );
}
