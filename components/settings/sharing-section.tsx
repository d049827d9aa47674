import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Checkbox } from "@/components/ui/choice";
import { FormError } from "@/components/ui/form-error";
import { useChangeSharing } from "@/lib/platform/auth/settings-client";
import type { Settings } from "@/lib/platform/auth/settings-schema";
import { Section, SectionBody } from "./section";

/** Whether members may share answers and quotes by link. */
export function SharingSection({ settings: { account, profile } }: { settings: Settings }) {
  const { mutate, error } = useChangeSharing();
  const [click, setClick] = useState<{ on: typeof account; isEnabled: boolean }>();
  const box = useRef<HTMLInputElement>(null);
  const isOwner = profile.role === "owner";
  // Until the answer has changed the account. A mutation's own state renders only after React has set the box back.
  const isSaving = click?.on === account;
  const isShown = isSaving ? click.isEnabled : account.is_sharing_enabled;
  const save = (isEnabled: boolean) => {
    setClick({ on: account, isEnabled });
    mutate(
      { is_enabled: isEnabled },
      {
        onSettled: (settings) =>
          settings?.account.is_sharing_enabled === isEnabled || setClick(undefined),
      },
    );
  };
  const saveEarlyClick = useEffectEvent(() => {
    if (box.current && box.current.checked !== isShown) {
      save(box.current.checked);
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
          aria-disabled={isSaving}
          onChange={({ target }) => isSaving || save(target.checked)}
        />
        <FormError message={error?.message} />
      </SectionBody>
    </Section>
  );
}
