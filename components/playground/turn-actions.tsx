import { Code, Pencil, RefreshCw, Trash2 } from "lucide-react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { toast } from "@/components/ui/toast";
import type { Turn } from "./conversation";
import { usePlayground } from "./store";

interface TurnActionsProps {
  turn: Turn;
  onShowCode: () => void;
}

/** What can be done with a question and its answer. */
export function TurnActions({ turn: { id, answer }, onShowCode }: TurnActionsProps) {
  const { store, isBusy } = usePlayground();
  const remove = () => {
    const undo = store?.remove(id);
    toast.message("Question and answer deleted.", {
      action: { label: "Undo", onClick: () => undo?.() },
    });
  };
  const actions = [
    { name: "Regenerate", icon: RefreshCw, run: () => void store?.regenerate(id) },
    { name: "Edit question", icon: Pencil, run: () => store?.edit(id) },
    { name: "Delete", icon: Trash2, run: remove },
  ];
  return (
    <div className="ml-auto flex flex-wrap items-center gap-1.5">
      {actions.map(({ name, icon: Icon, run }) => (
        <Button
          key={name}
          size="icon"
          variant="ghost"
          className="size-8"
          aria-label={name}
          title={name}
          disabled={isBusy}
          onClick={run}
        >
          <Icon aria-hidden />
        </Button>
      ))}
      {answer.content && <CopyButton text={answer.content} label="Copy answer" />}
      <Button size="sm" onClick={onShowCode}>
        <Code aria-hidden />
        Code and JSON
      </Button>
    </div>
  );
}
