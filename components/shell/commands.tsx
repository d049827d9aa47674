"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { createContext, lazy, type ReactNode, Suspense, useContext } from "react";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { useDialog } from "@/components/ui/use-dialog";
import { signOut } from "@/lib/platform/auth/client";
import { KeyCaps } from "./key-caps";
import type { Action } from "./palette/entries";
import type { Command } from "./shortcuts";
import { useTheme } from "./theme";
import { useChord } from "./use-chord";
import { useShortcuts } from "./use-shortcuts";

type CommandDialog = "palette" | "shortcuts";

// Loaded when first opened, or when about to be.
const LOADERS = {
  palette: () => import("./palette/palette"),
  shortcuts: () => import("./shortcuts-dialog"),
};
const Palette = lazy(async () => ({ default: (await LOADERS.palette()).Palette }));
const ShortcutsDialog = lazy(async () => ({
  default: (await LOADERS.shortcuts()).ShortcutsDialog,
}));

interface Commands {
  show: (dialog: CommandDialog) => void;
  /** Preloads the palette. */
  prepare: () => void;
}

const CommandsContext = createContext<Commands | null>(null);

/** Whose playground conversation it is, and the model that a first one uses. */
interface Conversation {
  member: string;
  model: string;
}

interface CommandsProviderProps {
  conversation: Conversation;
  children: ReactNode;
}

/** The command palette and the keyboard shortcuts. */
export function CommandsProvider({ conversation, children }: CommandsProviderProps) {
  const dialog = useDialog<CommandDialog>();
  const { open, close, handlers } = dialog;
  const show = (next: CommandDialog) =>
    void LOADERS[next]().then(() => dialog.show(next), warnNotOpened);
  const perform = usePerform(show, conversation);
  const run = (command: Command) => {
    if (command.kind === "filter") {
      return focusFilter();
    }
    if (command.kind === "palette" && open === "palette") {
      close();
    } else if (command.kind === "palette") {
      show("palette");
    } else {
      perform(command);
    }
    return true;
  };
  useShortcuts({ isOpen: open !== null, run });
  // A failure is reported when the palette is opened.
  const prepare = () => void LOADERS.palette().catch(() => undefined);
  return (
    <CommandsContext value={{ show, prepare }}>
      {children}
      <Suspense>
        {open === "palette" && (
          <Palette onChoose={(action) => close(() => perform(action))} {...handlers} />
        )}
        {open === "shortcuts" && <ShortcutsDialog {...handlers} />}
      </Suspense>
    </CommandsContext>
  );
}

export function useCommands(): Commands {
  const commands = useContext(CommandsContext);
  if (!commands) {
    throw new Error("useCommands must be used inside CommandsProvider.");
  }
  return commands;
}

/** Opens the palette. An icon on narrow screens. */
export function CommandButton() {
  const { show, prepare } = useCommands();
  const chord = useChord("k");
  return (
    <Button
      aria-haspopup="dialog"
      aria-keyshortcuts={chord[0] === "Ctrl" ? "Control+K" : "Meta+K"}
      onClick={() => show("palette")}
      onPointerEnter={prepare}
      onFocus={prepare}
      className="font-normal text-muted hover:text-ink max-lg:ml-auto max-sm:size-8 max-sm:border-transparent max-sm:bg-transparent max-sm:px-0 sm:w-60 sm:justify-start sm:px-2.5"
    >
      <Search aria-hidden />
      <span className="max-sm:sr-only">Search or jump to…</span>
      <span aria-hidden className="ml-auto max-sm:hidden">
        <KeyCaps keys={chord} />
      </span>
    </Button>
  );
}

/** Runs the action of a palette entry. */
function usePerform(show: Commands["show"], conversation: Conversation): (action: Action) => void {
  const router = useRouter();
  const [, setTheme] = useTheme();
  const go = (href: string) => {
    // The focused element may leave with its page.
    document.getElementById("content")?.focus({ preventScroll: true });
    router.push(href);
  };
  return (action) => {
    switch (action.kind) {
      case "go":
        return go(action.href);
      case "new-conversation":
        return void startConversation(conversation).then(() => go("/playground"), warnNotOpened);
      case "theme":
        return setTheme(action.theme);
      case "shortcuts":
        return show("shortcuts");
      case "sign-out":
        return signOutOrWarn();
    }
  };
}

/** Clears the playground's conversation, as its own button does. */
async function startConversation({ member, model }: Conversation): Promise<void> {
  const { storeOf } = await import("@/components/playground/store");
  const store = storeOf(member, model);
  if (store && store.read().turns.length > 0) {
    const undo = store.clear();
    toast.message("Conversation cleared.", { action: { label: "Undo", onClick: undo } });
  }
}

/** Signs out, or shows why it failed. */
export function signOutOrWarn(): void {
  signOut().catch(() =>
    toast.error("You’re still signed in because the server can’t be reached. Try again."),
  );
}

function warnNotOpened(): void {
  toast.error("Couldn’t open it because the server can’t be reached. Try again.");
}

/** Focuses the page's list filter, marked `data-list-filter`. False if there is none. */
function focusFilter(): boolean {
  const filter = document.querySelector<HTMLInputElement>("#content [data-list-filter]");
  filter?.focus();
  filter?.select();
  return filter !== null;
}
