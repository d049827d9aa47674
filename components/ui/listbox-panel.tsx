import { Command } from "cmdk";
import { Check, Search } from "lucide-react";
import { Popover } from "radix-ui";
import { type RefObject, useRef, useState } from "react";
import { cn } from "@/lib/cn";

/** Fewer are seen at a glance. Typing still finds one. */
const SEARCHABLE = 8;
/** cmdk ignores an empty value. */
const ALL = "(all)";

export interface ListboxOption {
  value: string;
  name: string;
  /** How many there are of it. */
  count?: number;
  /** The heading that it is under. */
  group?: string;
}

interface ListboxPanelProps {
  id: string;
  label: string;
  trigger: RefObject<HTMLButtonElement | null>;
  value: string;
  options: readonly ListboxOption[];
  /** What was typed before the list opened. */
  typed: string;
  onChoose: (value: string) => void;
  onClose: () => void;
}

/** The list below its button, with a field that narrows it. It is open while it is rendered. */
export function ListboxPanel({ trigger, onClose, ...list }: ListboxPanelProps) {
  const content = useRef<HTMLDivElement>(null);
  const anchor = useRef({ getBoundingClientRect: () => rectOf(trigger.current) });
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Anchor virtualRef={anchor} />
      {/* In the page's landmark, or in the dialog that traps the focus. */}
      <Popover.Portal container={trigger.current?.closest<HTMLElement>("[role=dialog], main")}>
        <Popover.Content
          ref={content}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={list.label}
          className="z-50 flex max-h-[min(22rem,var(--radix-popover-content-available-height))] w-max min-w-[max(12rem,var(--trigger))] max-w-[min(24rem,calc(100vw-1rem))] animate-appear flex-col overflow-hidden rounded-md border bg-raised text-ink shadow-lg outline-none"
          style={{ "--trigger": `${rectOf(trigger.current).width}px` } as object}
          onOpenAutoFocus={(event) => {
            // On a phone, the keyboard would cover the list.
            if (list.options.length > SEARCHABLE && matchMedia("(pointer: coarse)").matches) {
              event.preventDefault();
              content.current?.focus();
            }
          }}
          onInteractOutside={(event) => {
            // A press on the button closes it by itself.
            if (trigger.current?.contains(event.target as Node)) {
              event.preventDefault();
            }
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            trigger.current?.focus({ preventScroll: true });
          }}
        >
          <Options {...list} onClose={onClose} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function rectOf(element: HTMLElement | null): DOMRect {
  return element?.getBoundingClientRect() ?? new DOMRect();
}

function Options({
  id,
  label,
  value,
  options,
  typed,
  onChoose,
  onClose,
}: Omit<ListboxPanelProps, "trigger">) {
  const isSearchable = options.length > SEARCHABLE;
  const groups = [...new Set(options.map(({ group = "" }) => group))];
  const [highlighted, setHighlighted] = useState(value || ALL);
  const [text, setText] = useState(typed);
  return (
    <Command
      label={label}
      loop
      vimBindings={false}
      value={highlighted}
      onValueChange={setHighlighted}
      filter={(item, typed, keywords = []) =>
        `${keywords.join(" ")} ${item}`.toLowerCase().includes(typed.trim().toLowerCase()) ? 1 : 0
      }
      className="flex min-h-0 flex-col outline-none"
    >
      <div className={isSearchable ? "flex items-center gap-2 border-b px-2.5" : "sr-only"}>
        <Search aria-hidden className="size-3.5 shrink-0 text-muted" />
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder="Search"
          aria-label={`Search ${label}`}
          {...(!isSearchable && { inputMode: "none" })}
          className="h-9 min-w-0 flex-1 bg-transparent text-base text-ink outline-none sm:text-sm"
        />
      </div>
      <Command.List
        id={id}
        label={label}
        className="min-h-0 overflow-y-auto overscroll-contain p-1"
      >
        <Command.Empty className="px-2 py-3 text-muted">No matches</Command.Empty>
        {groups.map((group) => (
          <Command.Group
            key={group}
            {...(group && { heading: group })}
            className="[&>[cmdk-group-heading]]:px-2 [&>[cmdk-group-heading]]:py-1.5 [&>[cmdk-group-heading]]:text-muted [&>[cmdk-group-heading]]:text-xs"
          >
            {options
              .filter((option) => (option.group ?? "") === group)
              .map((option) => (
                <Option
                  key={option.value}
                  option={option}
                  isChosen={option.value === value}
                  onChoose={() => {
                    onChoose(option.value);
                    onClose();
                  }}
                />
              ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}

interface OptionProps {
  option: ListboxOption;
  isChosen: boolean;
  onChoose: () => void;
}

function Option({ option: { value, name, count }, isChosen, onChoose }: OptionProps) {
  return (
    <Command.Item
      value={value || ALL}
      keywords={[name]}
      onSelect={onChoose}
      className="flex min-h-8 cursor-default select-none items-center gap-2 rounded px-2 py-1 data-[selected=true]:bg-sunken pointer-coarse:min-h-11"
    >
      <Check
        aria-hidden
        className={cn("size-3.5 shrink-0 text-accent", !isChosen && "invisible")}
      />
      <span className="min-w-0 flex-1 break-words">
        {name}
        {isChosen && <span className="sr-only"> (chosen)</span>}
      </span>
      {count !== undefined && (
        <span className="shrink-0 text-muted text-xs tabular-nums">
          {count.toLocaleString("en-US")}
        </span>
      )}
    </Command.Item>
  );
}
