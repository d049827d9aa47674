import { lazy, Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import { Listbox, toOptions } from "@/components/ui/listbox";
import { toast } from "@/components/ui/toast";
import { useDialog } from "@/components/ui/use-dialog";
import { formatCount } from "@/lib/format-count";
import { useUpdateDocuments } from "@/lib/library/documents/client";
import type { ListedDocument } from "@/lib/library/documents/library-schema";
import type { Standing } from "@/lib/library/documents/schema";
import { STANDING_NAMES } from "./labels";
import { reportChanges } from "./report-changes";

const BulkDialogs = lazy(async () => ({
  default: (await import("./bulk-dialogs")).BulkDialogs,
}));

interface BulkBarProps {
  documents: ListedDocument[];
  onClear: () => void;
}

/** What can be done with the selected documents together. Stays in view below the list. */
export function BulkBar({ documents, onClear }: BulkBarProps) {
  const ids = documents.map(({ id }) => id);
  const dialog = useDialog<"attributes" | "delete" | "source" | "stores">();
  const update = useUpdateDocuments();
  const [standing, setStanding] = useState("");
  const mark = (value: string) => {
    setStanding(value);
    update.mutate(
      { ids, standing: value as Standing },
      {
        onSuccess: reportChanges(onClear),
        onError: (error) => toast.error(`Nothing was changed. ${error.message}`),
        onSettled: () => setStanding(""),
      },
    );
  };
  return (
    <section
      aria-label="Selected documents"
      ref={dialog.fallback}
      tabIndex={-1}
      className="sticky bottom-3 z-20 flex animate-appear flex-wrap items-center gap-2 rounded-lg border bg-raised px-3.5 py-2.5 shadow-lg outline-none"
    >
      <div className="mr-auto flex items-center gap-1">
        <p role="status" className="font-medium">
          {formatCount(ids.length, "document")} selected
        </p>
        <Button variant="ghost" onClick={onClear}>
          Clear
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Listbox
          label="Mark as"
          all="Mark as…"
          isLabelHidden
          value={standing}
          onChange={(value) => value && mark(value)}
          options={toOptions(STANDING_NAMES)}
          className="w-36"
        />
        <Button onClick={() => dialog.show("stores")}>Vector stores</Button>
        <Button onClick={() => dialog.show("attributes")}>Attributes</Button>
        <Button onClick={() => dialog.show("source")}>Source type</Button>
        <Button className="text-danger" onClick={() => dialog.show("delete")}>
          Delete
        </Button>
      </div>
      <Suspense>
        {dialog.open && (
          <BulkDialogs
            kind={dialog.open}
            documents={documents}
            onDone={() => {
              dialog.finish();
              onClear();
            }}
            {...dialog.handlers}
          />
        )}
      </Suspense>
    </section>
  );
}
