"use client";

import { Trash2 } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { Dialog, DialogBody } from "@/components/ui/dialog";
import { RelativeTime } from "@/components/ui/time";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import type { SavedConversation } from "./history";
import { usePlayground } from "./playground-context";

/** Past conversations in this browser, if the member wants them kept. */
export function HistoryDialog(handlers: DialogHandlers) {
  const { store } = usePlayground();
  const saved = useSyncExternalStore(
    store?.history.subscribe ?? (() => () => undefined),
    store?.history.read ?? (() => null),
    () => null,
  );
  if (!store) {
    return null;
  }
  return (
    <Dialog title="History" {...handlers}>
      <DialogBody>
        <Checkbox
          label="Keep conversations in this browser"
          description="Off by default, because conversations may contain health information. They are stored in this browser only, and deleted when you turn this off or sign out."
          checked={saved !== null}
          onChange={({ target }) => (target.checked ? store.startHistory() : store.history.stop())}
        />
        {saved?.length === 0 && <p className="text-muted">No conversations yet.</p>}
        {saved && saved.length > 0 && (
          <>
            <ul aria-label="Conversations" className="divide-y rounded-md border">
              {saved.map((conversation) => (
                <Conversation
                  key={conversation.id}
                  conversation={conversation}
                  onOpen={() => {
                    store.open(conversation);
                    handlers.onClose();
                  }}
                  onRemove={() => store.history.remove(conversation.id)}
                />
              ))}
            </ul>
            <Button className="justify-self-end" onClick={() => store.history.clear()}>
              <Trash2 aria-hidden />
              Delete all
            </Button>
          </>
        )}
      </DialogBody>
    </Dialog>
  );
}

interface ConversationProps {
  conversation: SavedConversation;
  onOpen: () => void;
  onRemove: () => void;
}

function Conversation({ conversation, onOpen, onRemove }: ConversationProps) {
  const { turns, savedAt, settings, rival } = conversation;
  const title = turns[0]?.question ?? "";
  const count = turns.length === 1 ? "1 question" : `${turns.length} questions`;
  return (
    <li className="flex items-center gap-1 p-1.5">
      <button
        type="button"
        onClick={onOpen}
        className="grid min-w-0 flex-1 rounded px-2 py-1 text-left hover:bg-sunken"
      >
        <span className="truncate">{title}</span>
        <span className="truncate text-muted text-xs">
          <RelativeTime value={new Date(savedAt).toISOString()} /> · {count} ·{" "}
          {[...new Set([settings.model, rival?.model ?? settings.model])].join(" and ")}
        </span>
      </button>
      <Button
        size="icon"
        variant="ghost"
        aria-label={`Delete “${title}”`}
        title="Delete"
        onClick={onRemove}
      >
        <Trash2 aria-hidden />
      </Button>
    </li>
  );
}
