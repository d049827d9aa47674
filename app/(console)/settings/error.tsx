"use client";

import { SETTINGS_PAGE } from "@/components/settings/labels";
import { PageHeader } from "@/components/shell/page-header";
import { ErrorState } from "@/components/shell/state";

export default function SettingsError({ retry }: { retry: () => void }) {
  return (
    <>
      <PageHeader {...SETTINGS_PAGE} />
      <ErrorState
        title="Your settings could not be read"
        description="Something went wrong on our side. Nothing has changed. Try again in a moment."
        onRetry={retry}
      />
    </>
  );
}
