/** Calls a function once for each object, as long as the object lives. */
export function oncePer<Key extends object, Value extends object>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

/** Caches a function of a text. A full cache is emptied. */
export function memoized<Value>(
  size: number,
  make: (text: string) => Value,
): (text: string) => Value {
  const cache = new Map<string, Value>();
  return (text) => {
    let value = cache.get(text);
    if (value === undefined) {
      if (cache.size >= size) {
        cache.clear();
      }
      value = make(text);
      cache.set(text, value);
    }
    return value;
  };
}
