import type { Key } from "@/lib/keys/schema";
import { KeyCard } from "./key-card";
import { KeyTable } from "./key-table";
import type { ShowDialog } from "./use-dialogs";

interface KeyListProps {
  keys: Key[];
  onShow: ShowDialog;
}

/** A table where it fits, else cards. */
export function KeyList({ keys, onShow }: KeyListProps) {
  return (
    <div className="@container">
      <div className="@min-[62rem]:block hidden overflow-hidden rounded-lg border bg-surface">
        <KeyTable keys={keys} onShow={onShow} />
      </div>
      <ul aria-label="Keys" className="@min-[62rem]:hidden grid @min-[40rem]:grid-cols-2 gap-3">
        {keys.map((key) => (
          <KeyCard key={key.id} apiKey={key} onShow={onShow} />
        ))}
      </ul>
    </div>
  );
}
