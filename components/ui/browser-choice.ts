/** A choice stored in the browser's local storage. `key` is also the event of a change. */
export function browserChoice(key: string) {
  // What couldn't be stored lasts until a reload.
  let unstored: { value: string | null } | null = null;
  return {
    read: (): string | null => {
      try {
        return unstored ? unstored.value : localStorage.getItem(key);
      } catch {
        return null;
      }
    },
    /** Null is the default. */
    write: (value: string | null): void => {
      unstored = null;
      try {
        if (value === null) {
          localStorage.removeItem(key);
        } else {
          localStorage.setItem(key, value);
        }
      } catch {
        unstored = { value };
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
