import { CircleAlert } from "lucide-react";

/** Why what was asked for did not happen. Rendered without a message too, so that one is announced. */
export function FormError({ message }: { message: string | null | undefined }) {
  return (
    <div role="alert" className="empty:absolute">
      {message && (
        <p className="flex gap-2 rounded-md bg-danger-soft px-3 py-2 text-ink">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
          {message}
        </p>
      )}
    </div>
  );
}
