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
