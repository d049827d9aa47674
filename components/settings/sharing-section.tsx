import { Checkbox } from "@/components/ui/choice";
import { FormError } from "@/components/ui/form-error";
import { useChangeSharing } from "@/lib/auth/settings-client";
import type { Settings } from "@/lib/auth/settings-schema";
import { Section, SectionBody } from "./section";

/** Whether members may share answers and quotes by link. */
export function SharingSection({ settings: { account, profile } }: { settings: Settings }) {
  const change = useChangeSharing();
  const isOwner = profile.role === "owner";
  return (
    <Section
      title="Sharing"
      description="Let anyone with a link open a stored answer or a quote. API answers that show citations as links use them too."
    >
      <SectionBody>
        <Checkbox
          label="Allow sharing by link"
          description={
            isOwner
              ? "Turning this off disables all existing links."
              : "Only an owner of the account can change this."
          }
          checked={change.isPending ? change.variables.is_enabled : account.is_sharing_enabled}
          disabled={!isOwner || change.isPending}
          onChange={(event) => change.mutate({ is_enabled: event.target.checked })}
        />
        <FormError message={change.error?.message} />
      </SectionBody>
    </Section>
  );
}
