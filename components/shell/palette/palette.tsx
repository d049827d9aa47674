"use client";

import { Command } from "cmdk";
import { Search, X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { type Ref, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { useSingleKeys } from "../hotkeys";
import { KeyCaps } from "../key-caps";
import { useTheme } from "../theme";
import type { Action, Entry, EntryGroup } from "./entries";
import { useEntries } from "./use-entries";
import { Failure, Foot, Nothing, Waiting } from "./view-states";

const NAME = "Search or jump to";

interface PaletteProps {
  onChoose: (action: Action) => void;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Every page, action and guide, and what of the account has the typed words in its name. */
export function Palette({ onChoose, onClose, onCloseAutoFocus }: PaletteProps) {
  const [text, setText] = useState("");
  const [theme] = useTheme();
  const input = useRef<HTMLInputElement>(null);
  const { groups, count, isSearching, failure, retry } = useEntries(text, theme);
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
          {/* What is found is put together here, in the order that it is shown in. */}
          <Command label={NAME} shouldFilter={false} loop vimBindings={false}>
            <Line ref={input} text={text} onText={setText} />
            <div className="relative">
              <Results groups={groups} onChoose={onChoose} />
              {count === 0 && (isSearching ? <Waiting /> : <Nothing text={text.trim()} />)}
            </div>
          </Command>
          {/* Buttons stand outside of it: within, Enter would always choose the marked line. */}
          {failure && (
            <Failure
              message={failure}
              onRetry={() => {
                // The button goes with the failure.
                input.current?.focus();
                retry();
              }}
            />
          )}
          <Foot count={text.trim() ? count : null} isSearching={isSearching} />
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

interface LineProps {
  ref: Ref<HTMLInputElement>;
  text: string;
  onText: (text: string) => void;
}

function Line({ ref, text, onText }: LineProps) {
  return (
    <div className="flex items-center gap-2.5 border-b pr-12 pl-3.5">
      <Search aria-hidden className="size-4 shrink-0 text-muted" />
      <Command.Input
        ref={ref}
        value={text}
        onValueChange={onText}
        placeholder="Search or jump to…"
        maxLength={200}
        enterKeyHint="go"
        // The caret is always here, and the marked line says what Enter does. 16 px, or iOS zooms in.
        className="h-12 min-w-0 flex-1 bg-transparent text-base text-ink outline-none"
      />
    </div>
  );
}

interface ResultsProps {
  groups: readonly EntryGroup[];
  onChoose: (action: Action) => void;
}

/** As high with one result as with many, so that nothing jumps while somebody types. */
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
              <Face entry={entry} hasSingleKeys={hasSingleKeys} />
            </Command.Item>
          ))}
        </Command.Group>
      ))}
    </Command.List>
  );
}

// The bar marks the chosen line where its colour alone would be too faint; the outline, where colours are forced.
const ITEM =
  "flex min-h-9 cursor-default select-none items-center gap-2.5 rounded-md px-2.5 outline-1 outline-transparent -outline-offset-1 data-[selected=true]:bg-accent-soft data-[selected=true]:shadow-[inset_2px_0_0_var(--color-accent)] max-sm:min-h-11 forced-colors:data-[selected=false]:outline-0";

function Face({ entry, hasSingleKeys }: { entry: Entry; hasSingleKeys: boolean }) {
  const { icon: Icon, name, detail, keys } = entry;
  return (
    <>
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 truncate">{name}</span>
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
