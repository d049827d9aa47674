import { useEffect, useEffectEvent, useRef } from "react";
import { Checkbox } from "@/components/ui/choice";
import { FormError } from "@/components/ui/form-error";
import { useChangeSharing } from "@/lib/auth/settings-client";
import type { Settings } from "@/lib/auth/settings-schema";
import { Section, SectionBody } from "./section";

/** Whether members may share answers and quotes by link. */
export function SharingSection({ settings: { account, profile } }: { settings: Settings }) {
  const change = useChangeSharing();
  const box = useRef<HTMLInputElement>(null);
  const isOwner = profile.role === "owner";
  const { mutate, isPending } = change;
  const isShown = isPending ? change.variables.is_enabled : account.is_sharing_enabled;
  const saveEarlyClick = useEffectEvent(() => {
    if (box.current && box.current.checked !== isShown) {
      mutate({ is_enabled: box.current.checked });
    }
  });
  // React keeps a click from before hydration in the box, without an event.
  useEffect(() => saveEarlyClick(), []);
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
          ref={box}
          autoComplete="off"
          checked={isShown}
          disabled={!isOwner}
          // Disabling it would move the focus away.
          aria-disabled={isPending}
          onChange={({ target }) => isPending || mutate({ is_enabled: target.checked })}
        />
        <FormError message={change.error?.message} />
      </SectionBody>
    </Section>
  );
}
