import { toast } from "@/components/ui/toast";
import { formatCount } from "@/lib/format-count";

interface Changes {
  data: { updated: boolean; message: string | null }[];
}

/** Says how many documents changed, and why the first of the others didn't, before `onDone`. */
export function reportChanges(onDone: () => void): (changes: Changes) => void {
  return ({ data }) => {
    const failed = data.filter(({ updated }) => !updated);
    const changed = data.length - failed.length;
    if (changed > 0) {
      toast.success(`${formatCount(changed, "document")} changed`);
    }
    if (failed.length > 0) {
      toast.error(`${formatCount(failed.length, "document")} not changed. ${failed[0]?.message}`);
    }
    onDone();
  };
}
