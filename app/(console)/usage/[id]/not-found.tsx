import { SearchX } from "lucide-react";
import Link from "next/link";
import { EmptyState } from "@/components/shell/state";
import { buttonLook } from "@/components/ui/button";

export default function NoSuchRequest() {
  return (
    <>
      <h1 className="sr-only">Request</h1>
      <EmptyState
        icon={SearchX}
        title="There is no such request in this account"
        description="Check the id. Records are kept for a limited time, and only requests that reached the work have one."
        action={
          <Link href="/usage" className={buttonLook({ variant: "primary" })}>
            See all requests
          </Link>
        }
      />
    </>
  );
}
