"use client";

import { Upload as UploadIcon } from "lucide-react";
import { type DragEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Listbox, toOptions } from "@/components/ui/listbox";
import { toast } from "@/components/ui/toast";
import { cn } from "@/lib/cn";
import type { LibraryStore } from "@/lib/library/documents/store-schema";
import { listUnfinished } from "@/lib/library/documents/unfinished-uploads";
import { ACCEPTED_FILES, FORMAT_NAMES } from "@/lib/reading/formats";
import { formatSize, OCR_LABELS, SCOPE_LABELS } from "./labels";
import { storeName } from "./store-names";
import type { UploadOptions } from "./upload-queue";
import { useUploads } from "./use-uploads";

const UploadList = lazy(async () => ({ default: (await import("./upload-list")).UploadList }));
const UnfinishedNotice = lazy(async () => ({
  default: (await import("./unfinished-notice")).UnfinishedNotice,
}));

interface UploadAreaProps {
  /** The upload limit. */
  maxBytes: number;
  /** Whether the URL asked to upload: the button takes focus. */
  isRequested: boolean;
  /** The knowledge base and store that are chosen; absent if all documents are shown. */
  scope: UploadOptions["scope"] | undefined;
  store: LibraryStore | undefined;
  /** Below it; files can be dropped there too. */
  children: ReactNode;
}

/** Uploads files that are chosen, or dropped anywhere on it. */
export function UploadArea({ maxBytes, isRequested, scope, store, children }: UploadAreaProps) {
  const { queue, uploads } = useUploads();
  const hasUnfinished = useHasUnfinished();
  const [options, setOptions] = useState<UploadOptions>({ scope: "customer_kb", ocr: "auto" });
  const placed = { ...options, ...(scope && { scope }), ...(store && { store: store.id }) };
  const add = (files: File[]) => queue.add(files, placed, maxBytes);
  return (
    <DropTarget onFiles={add}>
      <section
        aria-label="Upload"
        className="grid items-center gap-x-6 gap-y-4 rounded-lg border border-control border-dashed bg-surface p-4 sm:grid-cols-[minmax(0,1fr)_auto]"
      >
        <div className="flex items-start gap-3">
          <UploadIcon aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
          <div className="grid gap-0.5">
            <p className="font-medium">
              Drop files here, or <ChooseFiles onFiles={add} isRequested={isRequested} />
            </p>
            <p className="text-muted text-xs">
              {FORMAT_NAMES}, up to {formatSize(maxBytes)} each.
            </p>
          </div>
        </div>
        <Options
          value={placed}
          onChange={setOptions}
          isPlaced={scope !== undefined}
          store={store}
        />
      </section>
      <Suspense>
        {hasUnfinished && <UnfinishedNotice uploads={uploads} />}
        {uploads.length > 0 && <UploadList uploads={uploads} queue={queue} />}
      </Suspense>
      {children}
    </DropTarget>
  );
}

/** Known in the browser only. */
function useHasUnfinished(): boolean {
  const [hasUnfinished, setHasUnfinished] = useState(false);
  useEffect(() => setHasUnfinished(listUnfinished().length > 0), []);
  return hasUnfinished;
}

const SCOPE_OPTIONS = [
  { value: "customer_kb", name: `${SCOPE_LABELS.customer_kb.name}: all members` },
  { value: "personal_kb", name: `${SCOPE_LABELS.personal_kb.name}: only me` },
];

interface OptionsProps {
  value: UploadOptions;
  onChange: (value: UploadOptions) => void;
  /** Whether the chosen store or knowledge base decides who can read them. */
  isPlaced: boolean;
  store: LibraryStore | undefined;
}

function Options({ value, onChange, isPlaced, store }: OptionsProps) {
  return (
    <div className="grid gap-2 sm:w-64">
      {isPlaced ? (
        <p className="text-xs [overflow-wrap:anywhere]">
          <span className="text-muted">{store ? "Files go into " : "Who can read them: "}</span>
          {store
            ? `${storeName(store)} (${SCOPE_LABELS[value.scope].name})`
            : SCOPE_LABELS[value.scope].about}
        </p>
      ) : (
        <Listbox
          label="Who can read them"
          value={value.scope}
          onChange={(scope) => onChange({ ...value, scope: scope as UploadOptions["scope"] })}
          options={SCOPE_OPTIONS}
        />
      )}
      <details className="text-xs" open={value.ocr !== "auto" || undefined}>
        <summary className="cursor-pointer rounded-sm text-muted hover:text-ink">Advanced</summary>
        <Listbox
          label="Text recognition (OCR)"
          value={value.ocr}
          onChange={(ocr) => onChange({ ...value, ocr: ocr as UploadOptions["ocr"] })}
          options={toOptions(OCR_LABELS)}
          className="mt-2"
        />
      </details>
    </div>
  );
}

type OnFiles = (files: File[]) => void;

function ChooseFiles({ onFiles, isRequested }: { onFiles: OnFiles; isRequested: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isRequested) {
      button.current?.focus();
    }
  }, [isRequested]);
  return (
    <>
      <Button ref={button} size="sm" className="mx-1" onClick={() => input.current?.click()}>
        Choose files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        accept={ACCEPTED_FILES}
        hidden
        aria-label="Files to upload"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // So that the same file can be chosen again.
          target.value = "";
        }}
      />
    </>
  );
}

/** Larger than the upload box, because the browser opens a file that is dropped just beside it. */
function DropTarget({ onFiles, children }: { onFiles: OnFiles; children: ReactNode }) {
  const [depth, setDepth] = useState(0);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDepth(0);
    // A dropped folder is among the files, but cannot be read.
    const folders = [...event.dataTransfer.items]
      .map((item) => item.webkitGetAsEntry())
      .filter((entry) => entry?.isDirectory)
      .map((entry) => entry?.name);
    if (folders.length > 0) {
      toast.error("Folders can’t be uploaded. Open the folder and drop its files instead.");
    }
    const files = [...event.dataTransfer.files].filter(({ name }) => !folders.includes(name));
    if (files.length > 0) {
      onFiles(files);
    }
  };
  const ifFiles = (act: () => void) => (event: DragEvent) => {
    if (event.dataTransfer.types.includes("Files")) {
      event.preventDefault();
      act();
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is for the mouse; the button works for everyone.
    <div
      onDragEnter={ifFiles(() => setDepth((inside) => inside + 1))}
      onDragLeave={ifFiles(() => setDepth((inside) => Math.max(0, inside - 1)))}
      onDragOver={ifFiles(() => undefined)}
      onDrop={drop}
      className={cn(
        "grid gap-4 rounded-lg pt-2 outline-2 outline-transparent outline-offset-8",
        depth > 0 && "outline-accent",
      )}
    >
      {children}
    </div>
  );
}
