/** An error of a whole form. Rendered without a message too, so that screen readers announce a new one. */
export function FormError({ message }: { message: string | null | undefined }) {
  return (
    <div role="alert" className="empty:absolute">
      {message && (
        <p
          ref={scrollToError}
          className="flex gap-2 [&>span]:mt-0.5 rounded-md bg-danger-soft px-3 py-2 text-ink"
        >
          <AlertMark />
          {message}
        </p>
      )}
    </div>
  );
}

/** A long form's error would appear where nobody looks. */
function scrollToError(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

export function AlertMark() {
  return (
    <span
      aria-hidden
      className="grid size-4 shrink-0 place-items-center rounded-full bg-danger font-bold text-[0.65rem] text-on-danger leading-none"
    >
      !
    </span>
  );
}
