import { AlertMark } from "@/components/ui/alert-mark";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { KeyCaps } from "../key-caps";

const HINT = "Finds your documents and keys too";
/** Most answers are there before this shows, so that it does not flicker. */
const LATER = "animate-appear [animation-delay:400ms] [animation-fill-mode:backwards]";

/** Where no line matches. */
export function Nothing({ text }: { text: string }) {
  return (
    <div className="absolute inset-0 grid content-center justify-items-center gap-1 px-6 text-center">
      <p className="max-w-full break-words font-medium">Nothing is called “{text}”</p>
      <p className="max-w-sm text-balance text-muted">
        Try another word of a page, an action, a document’s title or a key’s name.
      </p>
    </div>
  );
}

/** Where the first line may still come. */
export function Waiting() {
  return (
    <div aria-hidden className={cn("absolute inset-0 grid content-start gap-5 px-4.5 py-5", LATER)}>
      <Skeleton className="w-2/5" />
      <Skeleton className="w-3/5" />
      <Skeleton className="w-1/2" />
    </div>
  );
}

/** What could not be searched, beside what was found. */
export function Failure({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-t px-3.5 py-2">
      <AlertMark />
      <p role="status" className="min-w-0 flex-1 basis-48 text-muted">
        Documents and keys could not all be searched. {message}
      </p>
      <Button size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

interface FootProps {
  /** Null before anything was asked. */
  count: number | null;
  isSearching: boolean;
}

/** How much was found, and the keys. */
export function Foot({ count, isSearching }: FootProps) {
  const says = count === null ? HINT : formatCount(count, isSearching);
  return (
    <div className="flex h-9 items-center justify-between gap-3 border-t px-3.5 text-muted text-xs">
      <p role="status" className="flex gap-2">
        {says && <span>{says}</span>}
        {isSearching && <span className={LATER}>Searching…</span>}
      </p>
      <p aria-hidden className="flex items-center gap-3 max-sm:hidden">
        <span className="flex items-center gap-1.5">
          <KeyCaps keys={["↑", "↓"]} /> Move
        </span>
        <span className="flex items-center gap-1.5">
          <KeyCaps keys={["↵"]} /> Open
        </span>
        <span className="flex items-center gap-1.5">
          <KeyCaps keys={["Esc"]} /> Close
        </span>
      </p>
    </div>
  );
}

function formatCount(count: number, isSearching: boolean): string {
  if (count === 0) {
    return isSearching ? "" : "No results";
  }
  return count === 1 ? "1 result" : `${count} results`;
}
