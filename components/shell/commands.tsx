"use client";

import { useRouter } from "next/navigation";
import { createContext, lazy, type ReactNode, Suspense, useContext } from "react";
import type { Action } from "./palette/entries";
import type { Conversation } from "./palette/new-conversation";
import type { Command } from "./shortcuts";
import { leave } from "./sign-out";
import { useTheme } from "./theme";
import { type CommandDialog, formatNotOpened, useCommandDialogs } from "./use-command-dialogs";
import { useShortcuts } from "./use-shortcuts";

const LOADERS = {
  palette: () => import("./palette/palette"),
  shortcuts: () => import("./shortcuts-dialog"),
};
// Fetched when one is first opened, or is about to be.
const Palette = lazy(async () => ({ default: (await LOADERS.palette()).Palette }));
const ShortcutsDialog = lazy(async () => ({
  default: (await LOADERS.shortcuts()).ShortcutsDialog,
}));

interface Commands {
  show: (dialog: CommandDialog) => void;
  /** Fetches the palette's code, because it may soon be opened. */
  prepare: () => void;
}

const CommandsContext = createContext<Commands | null>(null);

interface CommandsProviderProps {
  conversation: Conversation;
  children: ReactNode;
}

/** The palette and the keyboard shortcuts of the pages within. */
export function CommandsProvider({ conversation, children }: CommandsProviderProps) {
  const { open, show, close, onCloseAutoFocus } = useCommandDialogs(LOADERS);
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
  const dialog = { onClose: close, onCloseAutoFocus };
  // Nothing is told when it fails: whoever opens it then is told.
  const prepare = () => void LOADERS.palette().catch(() => undefined);
  return (
    <CommandsContext value={{ show, prepare }}>
      {children}
      <Suspense>
        {open === "palette" && (
          <Palette onChoose={(action) => close(() => perform(action))} {...dialog} />
        )}
        {open === "shortcuts" && <ShortcutsDialog {...dialog} />}
      </Suspense>
    </CommandsContext>
  );
}

/** The way to the palette and to the list of shortcuts. */
export function useCommands(): Commands {
  const commands = useContext(CommandsContext);
  if (!commands) {
    throw new Error("This part of the console stands outside of its commands.");
  }
  return commands;
}

/** Does what an entry of the palette says. */
function usePerform(show: Commands["show"], conversation: Conversation): (action: Action) => void {
  const router = useRouter();
  const [, setTheme] = useTheme();
  const go = (href: string) => {
    // What had the focus may be gone with its page.
    document.getElementById("content")?.focus({ preventScroll: true });
    router.push(href);
  };
  return (action) => {
    switch (action.kind) {
      case "go":
        return go(action.href);
      case "converse":
        void import("./palette/new-conversation")
          .then(({ beginConversation }) => beginConversation(conversation))
          .then(() => go("/playground"), formatNotOpened);
        return;
      case "theme":
        return setTheme(action.theme);
      case "shortcuts":
        return show("shortcuts");
      case "leave":
        return leave();
    }
  };
}

/** Lists mark their filter with `data-list-filter`. False where there is none. */
function focusFilter(): boolean {
  const filter = document.querySelector<HTMLInputElement>("#content [data-list-filter]");
  filter?.focus();
  filter?.select();
  return filter !== null;
}
