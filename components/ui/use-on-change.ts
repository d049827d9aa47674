import { useEffect, useRef } from "react";

/** Calls `onChange` with each new value after the first render. */
export function useOnChange<T>(value: T, onChange: (value: T) => void): void {
  const last = useRef(value);
  useEffect(() => {
    if (last.current !== value) {
      last.current = value;
      onChange(value);
    }
  });
}
