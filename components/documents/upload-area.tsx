"use client";

import { Upload as UploadIcon } from "lucide-react";
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { cn } from "@/lib/cn";
import { FORMAT_LIST, formatSize, SCOPE_LABELS } from "./labels";
import type { UploadScope } from "./upload-queue";

interface UploadAreaProps {
  scope: UploadScope;
  onScope: (scope: UploadScope) => void;
  onFiles: (files: File[]) => void;
  /** The largest file that is taken. */
  maxBytes: number;
  /** The page was opened in order to upload: the way to it has the focus. */
  isAsked: boolean;
}

/** Where files are dropped or chosen, and for whom. */
export function UploadArea({ scope, onScope, onFiles, maxBytes, isAsked }: UploadAreaProps) {
  return (
    <section
      aria-label="Upload"
      className="grid items-center gap-x-6 gap-y-4 rounded-lg border border-control border-dashed bg-surface p-4 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div className="flex items-start gap-3">
        <UploadIcon aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
        <div className="grid gap-0.5">
          <p className="font-medium">
            Drop files here, or <ChooseFiles onFiles={onFiles} isAsked={isAsked} />
          </p>
          <p className="text-muted text-xs">
            {FORMAT_LIST}, up to {formatSize(maxBytes)} each.
          </p>
        </div>
      </div>
      <Select
        label="Who may read them"
        value={scope}
        onChange={(value) => onScope(value as UploadScope)}
        className="sm:w-64"
      >
        <option value="customer_kb">{SCOPE_LABELS.customer_kb.name}: all of the account</option>
        <option value="personal_kb">{SCOPE_LABELS.personal_kb.name}: only me</option>
      </Select>
    </section>
  );
}

function ChooseFiles({ onFiles, isAsked }: Pick<UploadAreaProps, "onFiles" | "isAsked">) {
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsked) {
      button.current?.focus();
    }
  }, [isAsked]);
  return (
    <>
      <Button ref={button} size="sm" className="mx-1" onClick={() => input.current?.click()}>
        Choose files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // The same file can then be chosen once more.
          target.value = "";
        }}
      />
    </>
  );
}

interface DropTargetProps {
  onFiles: (files: File[]) => void;
  onFolder: () => void;
  children: ReactNode;
}

/** Takes files dropped anywhere on it, so that a near miss does not make the browser open them. */
export function DropTarget({ onFiles, onFolder, children }: DropTargetProps) {
  const [depth, setDepth] = useState(0);
  const take = (event: DragEvent) => {
    event.preventDefault();
    setDepth(0);
    const { files, hasFolder } = filesOf(event.dataTransfer);
    if (hasFolder) {
      onFolder();
    }
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
    // biome-ignore lint/a11y/noStaticElementInteractions: a way for the mouse alone; the button beside it is everybody's.
    <div
      onDragEnter={ifFiles(() => setDepth((inside) => inside + 1))}
      onDragLeave={ifFiles(() => setDepth((inside) => Math.max(0, inside - 1)))}
      onDragOver={ifFiles(() => undefined)}
      onDrop={take}
      className={cn(
        "rounded-lg outline-2 outline-transparent outline-offset-8",
        depth > 0 && "outline-accent",
      )}
    >
      {children}
    </div>
  );
}

/** A dropped folder comes as a file that cannot be read. */
function filesOf({ items, files }: DataTransfer): { files: File[]; hasFolder: boolean } {
  const folders = new Set(
    [...items]
      .map((item) => item.webkitGetAsEntry())
      .filter((entry) => entry?.isDirectory)
      .map((entry) => entry?.name),
  );
  return {
    files: [...files].filter(({ name }) => !folders.has(name)),
    hasFolder: folders.size > 0,
  };
}
