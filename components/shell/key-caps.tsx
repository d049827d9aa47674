interface KeyCapsProps {
  /** Pressed together or in sequence. */
  keys: readonly string[];
  /** Text between the keys, such as "then". */
  between?: string;
}

export function KeyCaps({ keys, between }: KeyCapsProps) {
  return (
    <span className="inline-flex shrink-0 items-center gap-1">
      {keys.map((key, index) => (
        <span key={key} className="inline-flex items-center gap-1">
          {between && index > 0 && <span className="text-muted text-xs">{between}</span>}
          <kbd className="grid h-5 min-w-5 place-items-center rounded border bg-sunken px-1 font-sans text-muted text-xs">
            {key}
          </kbd>
        </span>
      ))}
    </span>
  );
}
