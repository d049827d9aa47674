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
