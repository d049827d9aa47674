import { Badge } from "@/components/ui/badge";
import type { Standing } from "@/lib/library/documents/schema";
import { STANDING_LABELS } from "./labels";

/** Marks a document that isn't current. */
export function StandingBadge({ standing }: { standing: Standing | undefined }) {
  if (!standing || standing === "current") {
    return null;
  }
  const { name, tone } = STANDING_LABELS[standing];
  return <Badge tone={tone}>{name}</Badge>;
}
