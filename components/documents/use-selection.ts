import { useState } from "react";

export interface Selection {
  /** In the order they were selected. */
  ids: string[];
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  setAll: (ids: string[]) => void;
}

/** Selected rows. `shown`: the ids of the list; what leaves it is no longer selected. */
export function useSelection(shown: readonly string[]): Selection {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const ids = chosen.filter((id) => shown.includes(id));
  return {
    ids,
    has: (id) => ids.includes(id),
    toggle: (id) => setChosen(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]),
    setAll: setChosen,
  };
}
