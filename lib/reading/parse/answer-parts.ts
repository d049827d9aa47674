/** Long lists and maps are sent in parts of so many elements: read back at once, they would hold up the server. */
const PART_LENGTH = 100;

/** Elements of a list or map, by its path in the answer. */
interface AnswerPart {
  path: readonly (string | number)[];
  elements: readonly unknown[];
}

/** An answer whose long lists and maps are empty, and then their elements. */
export function toParts(answer: object): object[] {
  const parts: AnswerPart[] = [];
  const cut = (value: unknown, path: AnswerPart["path"]): unknown => {
    const elements = value instanceof Map || Array.isArray(value) ? [...value] : [];
    if (elements.length <= PART_LENGTH) {
      return mapValues(value, (inner, name) => cut(inner, [...path, name]));
    }
    for (let at = 0; at < elements.length; at += PART_LENGTH) {
      parts.push({ path, elements: elements.slice(at, at + PART_LENGTH) });
    }
    return value instanceof Map ? new Map() : [];
  };
  return [cut(answer, []) as object, ...parts];
}

function mapValues(value: unknown, map: (inner: unknown, name: string | number) => unknown) {
  if (Array.isArray(value)) {
    return value.map(map);
  }
  const isPlain = value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain
    ? Object.fromEntries(
        Object.entries(value as object).map(([name, one]) => [name, map(one, name)]),
      )
    : value;
}

/** Puts elements where `toParts` took them from. */
export function mergePart(answer: object, { path, elements }: AnswerPart): void {
  const target: unknown = path.reduce((value: object, name) => Reflect.get(value, name), answer);
  if (target instanceof Map) {
    for (const [key, value] of elements as [unknown, unknown][]) {
      target.set(key, value);
    }
  } else {
    (target as unknown[]).push(...elements);
  }
}
