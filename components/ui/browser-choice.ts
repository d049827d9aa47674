/** A choice that the browser keeps in local storage. `key` is also the event of a change. */
export function browserChoice(key: string) {
  // Where storage is disabled, the choice lasts until a reload.
  let kept: string | null = null;
  return {
    read: (): string | null => {
      try {
        return localStorage.getItem(key);
      } catch {
        return kept;
      }
    },
    /** Null is the default. */
    write: (value: string | null): void => {
      kept = value;
      try {
        if (value === null) {
          localStorage.removeItem(key);
        } else {
          localStorage.setItem(key, value);
        }
      } catch {
        // Kept all the same.
      }
      window.dispatchEvent(new Event(key));
    },
    /** Follows changes in other tabs too. */
    subscribe: (onChange: () => void): (() => void) => {
      const onStorage = (event: StorageEvent) => event.key === key && onChange();
      window.addEventListener(key, onChange);
      window.addEventListener("storage", onStorage);
      return () => {
        window.removeEventListener(key, onChange);
        window.removeEventListener("storage", onStorage);
      };
    },
  };
}
