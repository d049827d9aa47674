import { SearchX } from "lucide-react";
import { BackLink } from "@/components/shell/back-link";
import { EmptyState } from "@/components/shell/state";
import { ButtonLink } from "@/components/ui/button";

/** For a key that does not exist or that the member may not see. */
export default function MissingKey() {
  return (
    <div className="grid gap-4">
      <BackLink href="/keys" name="API keys" />
      <EmptyState
        icon={SearchX}
        heading="h1"
        title="Key not found"
        description="The link may be wrong, or the key belongs to another member."
        action={<ButtonLink href="/keys">Go to API keys</ButtonLink>}
      />
    </div>
  );
}
