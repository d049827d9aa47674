"use client";

import { Command } from "cmdk";
import { Search, X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { AlertMark } from "@/components/ui/form-error";
import { Skeleton } from "@/components/ui/skeleton";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { cn } from "@/lib/cn";
import { KeyCaps } from "../key-caps";
import { useSingleKeys } from "../use-shortcuts";
import type { Action, Entry, EntryGroup } from "./entries";
import type { PaletteResults } from "./search-results";

const NAME = "Search or jump to";
/** Most results arrive before this shows, which avoids a flicker. */
const DELAYED = "animate-appear [animation-delay:400ms] [animation-fill-mode:backwards]";

interface PaletteDialogProps extends DialogHandlers {
  text: string;
  onText: (text: string) => void;
  results: PaletteResults;
  /** What else typing searches, shown while nothing is typed. */
  note: string;
  /** What to try when nothing is found. */
  advice: string;
  onChoose: (action: Action) => void;
}

/** A field, and the entries found for its text by group. */
export function PaletteDialog(props: PaletteDialogProps) {
  const { text, onText, results, note, advice, onChoose, onClose, onCloseAutoFocus } = props;
  const input = useRef<HTMLInputElement>(null);
  const { groups, count, isSearching, failure, retry } = results;
  const selection = useSelection(groups, text);
  return (
    <Primitive.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 animate-appear bg-[oklch(0_0_0/0.45)]" />
        <Primitive.Content
          aria-describedby={undefined}
          onCloseAutoFocus={onCloseAutoFocus}
          className="fixed inset-x-2 top-2 z-50 animate-appear overflow-hidden rounded-xl border bg-raised shadow-lg focus-visible:outline-none sm:inset-x-auto sm:top-[12vh] sm:left-1/2 sm:w-[calc(100vw-2rem)] sm:max-w-xl sm:-translate-x-1/2"
        >
          <Primitive.Title className="sr-only">{NAME}</Primitive.Title>
          {/* Results are filtered and sorted here, not by cmdk. */}
          <Command label={NAME} shouldFilter={false} loop vimBindings={false} {...selection}>
            <div className="flex items-center gap-2.5 border-b pr-12 pl-3.5">
              <Search aria-hidden className="size-4 shrink-0 text-muted" />
              <Command.Input
                ref={input}
                value={text}
                onValueChange={onText}
                placeholder="Search or jump to…"
                maxLength={200}
                enterKeyHint="go"
                // 16 px, because iOS zooms into anything smaller.
                className="h-12 min-w-0 flex-1 bg-transparent text-base text-ink outline-none"
              />
            </div>
            <div className="relative">
              <Results groups={groups} onChoose={onChoose} />
              {count === 0 &&
                (isSearching ? <Loading /> : <EmptyResults text={text.trim()} advice={advice} />)}
            </div>
          </Command>
          {/* Outside of Command, where Enter would choose the selected entry instead. */}
          {failure && (
            <Failure
              message={failure}
              onRetry={() => {
                // The button disappears with the failure.
                input.current?.focus();
                retry();
              }}
            />
          )}
          <Footer count={text.trim() ? count : null} note={note} isSearching={isSearching} />
          <Primitive.Close asChild>
            <Button
              variant="ghost"
              size="icon"
              aria-label="Close"
              className="absolute top-2 right-2"
            >
              <X aria-hidden />
            </Button>
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** The first entry, also when better ones arrive later, until the reader selects another one for this text. */
function useSelection(groups: readonly EntryGroup[], text: string) {
  const [selected, setSelected] = useState({ text, id: "" });
  const ids = groups.flatMap(({ entries }) => entries.map(({ id }) => id));
  const isKept = selected.text === text && ids.includes(selected.id);
  const first = ids[0] ?? "";
  return {
    value: isKept ? selected.id : first,
    onValueChange: (id: string) => setSelected({ text, id: id === first ? "" : id }),
  };
}

interface ResultsProps {
  groups: readonly EntryGroup[];
  onChoose: (action: Action) => void;
}

/** A fixed height, so that nothing jumps while typing. */
function Results({ groups, onChoose }: ResultsProps) {
  const [hasSingleKeys] = useSingleKeys();
  return (
    <Command.List
      label="Results"
      className="h-[min(24rem,50dvh)] scroll-py-2 overflow-y-auto overscroll-contain p-2"
    >
      {groups.map(({ name, entries }) => (
        <Command.Group
          key={name}
          heading={name}
          className="pb-1.5 last:pb-0 [&>[cmdk-group-heading]]:px-2.5 [&>[cmdk-group-heading]]:py-1.5 [&>[cmdk-group-heading]]:font-medium [&>[cmdk-group-heading]]:text-muted [&>[cmdk-group-heading]]:text-xs"
        >
          {entries.map((entry) => (
            <Command.Item
              key={entry.id}
              value={entry.id}
              onSelect={() => onChoose(entry.action)}
              className={ITEM}
            >
              <EntryLine entry={entry} hasSingleKeys={hasSingleKeys} />
            </Command.Item>
          ))}
        </Command.Group>
      ))}
    </Command.List>
  );
}

// The bar marks the selection where its color alone is too faint; the outline does in forced colors.
const ITEM =
  "flex min-h-9 cursor-default select-none items-center gap-2.5 rounded-md px-2.5 py-1 outline-1 outline-transparent -outline-offset-1 data-[selected=true]:bg-accent-soft data-[selected=true]:shadow-[inset_2px_0_0_var(--color-accent)] max-sm:min-h-11 forced-colors:data-[selected=false]:outline-0";

function EntryLine({ entry, hasSingleKeys }: { entry: Entry; hasSingleKeys: boolean }) {
  const { icon: Icon, name, detail, excerpt, keys } = entry;
  return (
    <>
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="grid min-w-0">
        <span className="truncate">{name}</span>
        {excerpt && <span className="truncate text-muted text-xs">{excerpt}</span>}
      </span>
      {detail && (
        <span className="ml-auto max-w-[50%] shrink-0 truncate text-muted text-xs">{detail}</span>
      )}
      {keys && hasSingleKeys && (
        <span aria-hidden className="ml-auto max-sm:hidden">
          <KeyCaps keys={keys} />
        </span>
      )}
    </>
  );
}

function EmptyResults({ text, advice }: { text: string; advice: string }) {
  return (
    <div className="absolute inset-0 grid content-center justify-items-center gap-1 px-6 text-center">
      <p className="max-w-full break-words font-medium">No results for “{text}”</p>
      <p className="max-w-sm text-balance text-muted">{advice}</p>
    </div>
  );
}

function Loading() {
  return (
    <div
      aria-hidden
      className={cn("absolute inset-0 grid content-start gap-5 px-4.5 py-5", DELAYED)}
    >
      <Skeleton className="w-2/5" />
      <Skeleton className="w-3/5" />
      <Skeleton className="w-1/2" />
    </div>
  );
}

function Failure({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-t px-3.5 py-2">
      <AlertMark />
      <p role="status" className="min-w-0 flex-1 basis-48 text-muted">
        Couldn’t search all documents and keys. {message}
      </p>
      <Button size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

interface FooterProps {
  /** Null before anything was typed. */
  count: number | null;
  note: string;
  isSearching: boolean;
}

const KEYS = [
  { name: "Move", keys: ["↑", "↓"] },
  { name: "Open", keys: ["↵"] },
  { name: "Close", keys: ["Esc"] },
];

function Footer({ count, note, isSearching }: FooterProps) {
  const summary = count === null ? note : formatCount(count);
  return (
    <div className="flex h-9 items-center justify-between gap-3 border-t px-3.5 text-muted text-xs">
      <p role="status" className="flex gap-2">
        {!(count === 0 && isSearching) && <span>{summary}</span>}
        {isSearching && <span className={DELAYED}>Searching…</span>}
      </p>
      <p aria-hidden className="flex items-center gap-3 max-sm:hidden">
        {KEYS.map(({ name, keys }) => (
          <span key={name} className="flex items-center gap-1.5">
            <KeyCaps keys={keys} /> {name}
          </span>
        ))}
      </p>
    </div>
  );
}

function formatCount(count: number): string {
  if (count === 0) {
    return "No results";
  }
  return count === 1 ? "1 result" : `${count} results`;
}
