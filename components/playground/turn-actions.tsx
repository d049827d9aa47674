import { Code, Pencil, RefreshCw, Trash2 } from "lucide-react";
import { withReferences } from "@/components/citations/answer-sources";
import { ShareButton } from "@/components/sharing/share-button";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { toast } from "@/components/ui/toast";
import type { Run, Turn } from "./conversation";
import { usePlayground } from "./playground-context";

/** What can be done with a question. */
export function TurnActions({ turn: { id } }: { turn: Turn }) {
  const { store, composer, isBusy } = usePlayground();
  const edit = () => {
    store?.edit(id);
    // Once the question is in the field.
    requestAnimationFrame(() => {
      const field = composer.current;
      field?.focus();
      field?.setSelectionRange(field.value.length, field.value.length);
    });
  };
  const remove = () => {
    const undo = store?.remove(id);
    composer.current?.focus({ preventScroll: true });
    toast.message("Question and answer deleted.", {
      action: { label: "Undo", onClick: () => undo?.() },
    });
  };
  const actions = [
    { name: "Regenerate", icon: RefreshCw, run: () => void store?.regenerate(id) },
    { name: "Edit question", icon: Pencil, run: edit },
    { name: "Delete", icon: Trash2, run: remove },
  ];
  return actions.map(({ name, icon: Icon, run }) => (
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
  ));
}

/** What can be done with an answer. A stored one can be shared. */
export function RunActions({ run, onShowCode }: { run: Run; onShowCode: (run: Run) => void }) {
  const { answer, request, state } = run;
  return (
    <>
      {answer.content && (
        <CopyButton text={withReferences(answer.content, answer)} label="Copy answer" />
      )}
      {request.store && state === "done" && answer.requestId && (
        <ShareButton target={{ request_id: answer.requestId }} size="sm" />
      )}
      <Button size="sm" onClick={() => onShowCode(run)}>
        <Code aria-hidden />
        Code and JSON
      </Button>
    </>
  );
}
