import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LoadError } from "@/components/shell/state";
import { Checkbox } from "@/components/ui/choice";
import { FormDialog } from "@/components/ui/dialog";
import { FieldSet } from "@/components/ui/field";
import { ListSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { formatCount } from "@/lib/format-count";
import { libraryStoresQuery, useChangeMembership } from "@/lib/library/documents/client";
import type { ListedDocument } from "@/lib/library/documents/library-schema";
import { matching, storeName } from "./store-names";
import { StoreSearch } from "./store-search";

interface MembershipDialogProps extends DialogHandlers {
  documents: readonly ListedDocument[];
  onDone: () => void;
}

/** Chooses the stores of documents. A store that has only some of them stays as it is until its box is clicked. */
export function MembershipDialog({ documents, onDone, ...handlers }: MembershipDialogProps) {
  const [chosen, setChosen] = useState<Record<string, boolean>>({});
  const change = useChangeMembership();
  const [first] = documents;
  const what =
    documents.length === 1 && first
      ? `“${first.title}”`
      : formatCount(documents.length, "document");
  const save = () => {
    const idsWhere = (wanted: boolean) => Object.keys(chosen).filter((id) => chosen[id] === wanted);
    const body = { add: idsWhere(true), remove: idsWhere(false) };
    if (body.add.length + body.remove.length === 0) {
      handlers.onClose();
      return;
    }
    change.mutate(
      { ids: documents.map(({ id }) => id), ...body },
      {
        onSuccess: () => {
          onDone();
          toast.success(`Stores of ${what} changed`);
        },
      },
    );
  };
  return (
    <FormDialog
      title={`Vector stores of ${what}`}
      description="A document can be in several stores. Removing it from one doesn’t delete it."
      submitLabel="Save"
      isDismissable={Object.keys(chosen).length === 0}
      isPending={change.isPending}
      error={change.error?.message}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      {...handlers}
    >
      <StoreChoices
        documents={documents}
        chosen={chosen}
        onChoose={(id, isIn) => setChosen({ ...chosen, [id]: isIn })}
      />
    </FormDialog>
  );
}

interface StoreChoicesProps extends Pick<MembershipDialogProps, "documents"> {
  chosen: Record<string, boolean>;
  onChoose: (id: string, isIn: boolean) => void;
}

function StoreChoices({ documents, chosen, onChoose }: StoreChoicesProps) {
  const query = useQuery(libraryStoresQuery());
  const [search, setSearch] = useState("");
  if (!query.data) {
    return query.error ? (
      <LoadError title="We couldn’t load your stores" query={query} />
    ) : (
      <ListSkeleton label="Loading stores" rows={3} isCompact />
    );
  }
  const scopes = new Set(documents.map(({ scope }) => scope));
  const stores = query.data.data.filter(({ id, scope }) => id !== scope && scopes.has(scope));
  if (stores.length === 0 || scopes.size > 1) {
    return (
      <p className="text-muted">
        {scopes.size > 1
          ? "These documents are in different knowledge bases, and a store has documents of one. Select documents of one knowledge base."
          : "There are no vector stores in this knowledge base yet. Create one on the Documents page."}
      </p>
    );
  }
  return (
    <FieldSet legend="Vector stores">
      <StoreSearch count={stores.length} value={search} onChange={setSearch} />
      <div className="grid max-h-72 gap-2 overflow-y-auto rounded-md border p-2.5">
        {matching(stores, search).map((store) => {
          const count = documents.filter(({ stores: ids }) => ids.includes(store.id)).length;
          const isIn = chosen[store.id] ?? count === documents.length;
          const isSome = chosen[store.id] === undefined && count > 0 && !isIn;
          return (
            <Checkbox
              key={store.id}
              label={storeName(store)}
              description={isSome && `${count} of ${documents.length} are in it`}
              checked={isIn}
              ref={(box) => {
                if (box) {
                  box.indeterminate = isSome;
                }
              }}
              onChange={({ target }) => onChoose(store.id, target.checked)}
            />
          );
        })}
      </div>
    </FieldSet>
  );
}
