"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { BookMarked, Plus } from "lucide-react";
import Link from "next/link";
import { lazy, Suspense } from "react";
import { LoadMore } from "@/components/shell/load-more";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState, StaleNotice } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Day } from "@/components/ui/time";
import { type DialogHandlers, useDialog } from "@/components/ui/use-dialog";
import { presetsQuery, useDeletePreset } from "@/lib/answers/presets/client";
import type { Preset, PresetPage } from "@/lib/answers/presets/schema";
import { PRESETS_PAGE } from "./labels";

// Loaded when first opened.
const PresetDialog = lazy(async () => ({
  default: (await import("./preset-dialog")).PresetDialog,
}));
const AlertDialog = lazy(async () => ({
  default: (await import("@/components/ui/dialog")).AlertDialog,
}));

/** The dialog that saves a new or existing preset, or deletes one. */
type OpenDialog = { kind: "save"; preset: Preset | null } | { kind: "delete"; preset: Preset };

interface PresetsViewProps {
  initialPage: PresetPage;
  models: readonly string[];
}

export function PresetsView({ initialPage, models }: PresetsViewProps) {
  const query = useInfiniteQuery({
    ...presetsQuery,
    initialData: { pages: [initialPage], pageParams: [null] },
  });
  const presets = query.data.pages.flatMap(({ data }) => data);
  const dialog = useDialog<OpenDialog>();
  const { open, show, handlers } = dialog;
  const create = (
    <Button variant="primary" onClick={() => show({ kind: "save", preset: null })}>
      <Plus aria-hidden />
      Create preset
    </Button>
  );
  return (
    <>
      <PageHeader {...PRESETS_PAGE} actions={presets.length > 0 && create} />
      <section
        ref={dialog.fallback}
        tabIndex={-1}
        aria-label="Presets"
        className="grid gap-4 outline-none"
      >
        <StaleNotice query={query} />
        {presets.length > 0 ? (
          <ul aria-label="Presets" className="divide-y rounded-lg border bg-surface">
            {presets.map((preset) => (
              <PresetRow key={preset.id} preset={preset} onShow={show} />
            ))}
          </ul>
        ) : (
          <EmptyState
            icon={BookMarked}
            title="No presets yet"
            description="A preset is a model with citation settings under a name. Choose it as the model in n8n, Open WebUI or LibreChat, and every answer is cited."
            action={create}
          />
        )}
        <LoadMore query={query} noun={{ one: "preset", many: "presets" }} count={presets.length} />
        <p className="text-muted text-xs">
          <Link href="/docs/presets" className="underline hover:text-ink">
            How clients use presets
          </Link>
        </p>
      </section>
      <Suspense>
        {open?.kind === "save" && (
          <PresetDialog preset={open.preset} models={models} {...handlers} />
        )}
        {open?.kind === "delete" && (
          <DeletePreset preset={open.preset} onDeleted={dialog.finish} {...handlers} />
        )}
      </Suspense>
    </>
  );
}

function PresetRow({ preset, onShow }: { preset: Preset; onShow: (dialog: OpenDialog) => void }) {
  const settings = Object.entries(preset.citations).filter(([name]) => name !== "enabled");
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-72 gap-1">
        <code className="break-all font-medium font-mono text-sm">{preset.model_id}</code>
        <p className="break-words text-muted text-xs">
          {settings.length > 0
            ? settings.map(([name, value]) => `${name}: ${formatValue(value)}`).join(", ")
            : "Default citation settings"}
          . Changed <Day value={preset.updated_at} />.
        </p>
      </div>
      <div className="flex flex-wrap gap-1.5">
        <CopyButton text={preset.model_id} label="Copy model" />
        {preset.can_change && (
          <>
            <Button size="sm" variant="ghost" onClick={() => onShow({ kind: "save", preset })}>
              Edit<span className="sr-only"> {preset.model_id}</span>
            </Button>
            <Button size="sm" variant="ghost" onClick={() => onShow({ kind: "delete", preset })}>
              Delete<span className="sr-only"> {preset.model_id}</span>
            </Button>
          </>
        )}
      </div>
    </li>
  );
}

function formatValue(value: unknown): string {
  return Array.isArray(value) ? value.join(" + ") : String(value);
}

interface DeletePresetProps extends DialogHandlers {
  preset: Preset;
  onDeleted: () => void;
}

function DeletePreset({ preset, onDeleted, ...handlers }: DeletePresetProps) {
  const deletion = useDeletePreset();
  return (
    <AlertDialog
      title={`Delete ${preset.model_id}?`}
      description="Requests that use it will fail with invalid_request. The model itself isn’t affected."
      error={deletion.error?.message}
      action="Delete preset"
      onAction={() => deletion.mutate(preset.id, { onSuccess: onDeleted })}
      isPending={deletion.isPending}
      {...handlers}
    />
  );
}
