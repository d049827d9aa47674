/** An operation, and what its form starts with. */
export interface TryItSpec {
  method: string;
  /** With ids as `{name}`. */
  path: string;
  /** The names in the path. */
  ids: readonly string[];
  /** Null if the operation takes no query. */
  query: string | null;
  /** JSON or JSON Lines; null if the operation takes none. */
  body: string | null;
  type: string;
  /** Fields of a form, such as `scope=customer_kb`, with files as `file=@name`. */
  form: readonly string[] | null;
}

/** What a reader typed. */
export interface TryItValues {
  key: string;
  ids: Readonly<Record<string, string>>;
  query: string;
  body: string;
  file: File | null;
}

export interface TryItAnswer {
  status: number;
  requestId: string | null;
  milliseconds: number;
  text: string;
}

/** Longer answers are cut, so that the page stays responsive. */
const MAX_SHOWN_LETTERS = 100_000;

/** The request that a form describes, to this site alone and without the reader's session. */
export function toFetch(spec: TryItSpec, values: TryItValues): [string, RequestInit] {
  const path = spec.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values.ids[name]?.trim() ?? ""),
  );
  const query = values.query.trim();
  const headers = new Headers({ authorization: `Bearer ${values.key.trim()}` });
  if (spec.body !== null) {
    headers.set("content-type", spec.type);
  }
  return [
    query ? `${path}?${query}` : path,
    {
      method: spec.method,
      headers,
      credentials: "omit",
      ...(spec.body !== null && { body: values.body }),
      ...(spec.form && { body: toForm(spec.form, values.file) }),
    },
  ];
}

function toForm(fields: readonly string[], file: File | null): FormData {
  const form = new FormData();
  for (const field of fields) {
    const [name = "", value = ""] = field.split("=");
    if (!value.startsWith("@")) {
      form.set(name, value);
    } else if (file) {
      form.set(name, file);
    }
  }
  return form;
}

/** Sends the request; `onText` gets the answer so far, piece by piece when it is streamed. */
export async function sendRequest(
  [address, init]: ReturnType<typeof toFetch>,
  onText: (answer: TryItAnswer) => void,
): Promise<void> {
  const startedAt = performance.now();
  const response = await fetch(address, init);
  const answer = (text: string): TryItAnswer => ({
    status: response.status,
    requestId: response.headers.get("x-request-id"),
    milliseconds: Math.round(performance.now() - startedAt),
    text: text.slice(0, MAX_SHOWN_LETTERS),
  });
  const type = response.headers.get("content-type") ?? "";
  if (!/json|text/.test(type)) {
    const { size } = await response.blob();
    return onText(answer(`${type}, ${size.toLocaleString("en")} bytes`));
  }
  if (!type.includes("event-stream")) {
    return onText(answer(indented(await response.text())));
  }
  let text = "";
  const pieces = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await pieces?.read(); piece && !piece.done; piece = await pieces?.read()) {
    text += piece.value;
    onText(answer(text));
  }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
