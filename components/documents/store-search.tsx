import { Input } from "@/components/ui/input";

/** A shorter list needs no search. */
const MIN_STORES = 10;

interface StoreSearchProps {
  /** How many stores the list has. */
  count: number;
  value: string;
  onChange: (value: string) => void;
}

/** The search field above a list of vector stores; nothing above a short one. */
export function StoreSearch({ count, value, onChange }: StoreSearchProps) {
  return count < MIN_STORES ? null : (
    <Input
      type="search"
      aria-label="Search vector stores"
      placeholder="Search stores"
      value={value}
      maxLength={256}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
