/** A string or number of a JSON text. */
export interface JsonValue {
  value: string | number;
  /** Keys of objects and indexes of arrays that lead to it. */
  path: readonly (string | number)[];
  /** UTF-16 offsets of the value in the text, including a string's quotes. End exclusive. */
  start: number;
  end: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\],]/g;
/** Further values stay unread, and deeper ones: paths would take quadratic space. */
const MAX_VALUES = 1000;
const MAX_DEPTH = 32;

/** The strings and numbers of a text that is valid JSON, in order. Linear in time, at any depth. */
export function readJsonValues(json: string): JsonValue[] {
  const values: JsonValue[] = [];
  const place = new Place();
  for (const { 0: token, index: start } of json.matchAll(TOKEN)) {
    const isValue = place.pass(token);
    if (isValue && values.length < MAX_VALUES && place.path.length <= MAX_DEPTH) {
      const end = start + token.length;
      values.push({ value: JSON.parse(token), path: [...place.path], start, end });
    }
  }
  return values;
}

class Place {
  /** The current key or index of each open object and array. */
  readonly path: (string | number)[] = [];
  #isKeyNext = false;

  /** Moves past a token and returns whether it is a value. */
  pass(token: string): boolean {
    const last = this.path.length - 1;
    const at = this.path[last];
    if (token === "{" || token === "[") {
      this.path.push(token === "{" ? "" : 0);
      this.#isKeyNext = token === "{";
    } else if (token === "}" || token === "]") {
      this.path.pop();
    } else if (token === ",") {
      this.path[last] = typeof at === "number" ? at + 1 : "";
      this.#isKeyNext = typeof at === "string";
    } else if (this.#isKeyNext) {
      this.path[last] = JSON.parse(token);
      this.#isKeyNext = false;
    } else {
      return true;
    }
    return false;
  }
}

/** Such as `$.doses[0]["per day"]`. */
export function toJsonPath(path: JsonValue["path"]): string {
  const steps = path.map((step) => {
    const isName = typeof step === "string" && /^[A-Za-z_]\w*$/.test(step);
    return isName ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  return `$${steps.join("")}`;
}
