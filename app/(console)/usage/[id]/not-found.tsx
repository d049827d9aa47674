import { SearchX } from "lucide-react";
import { EmptyState } from "@/components/shell/state";
import { ButtonLink } from "@/components/ui/button";

export default function NoSuchRequest() {
  return (
    <>
      <h1 className="sr-only">Request</h1>
      <EmptyState
        icon={SearchX}
        title="Request not found"
        description="Check the ID. Records are deleted after a while, and requests without a valid key don’t have one."
        action={
          <ButtonLink href="/usage" variant="primary">
            View all requests
          </ButtonLink>
        }
      />
    </>
  );
}
