/** Where servers of local models listen by default. */
const USUAL = [
  ["Ollama", "http://127.0.0.1:11434/v1"],
  ["LM Studio", "http://127.0.0.1:1234/v1"],
  ["llama.cpp", "http://127.0.0.1:8080/v1"],
  ["vLLM", "http://127.0.0.1:8000/v1"],
];
/** On loopback a server answers at once or isn't there. */
const LOOK_MS = 300;
/** A server that the operator has named may be far away. */
const ASK_MS = 3000;
/** Beyond it a catalog is a marketplace, which needs a choice. */
const MAX_LISTED = 20;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const FREE = { core: { input: 0, output: 0 }, grounded: { input: 0, output: 0 } };
const NO_CHAT = /embed|rerank|bge-|whisper|tts|moderation|dall-e|image|clip/i;

/**
 * What `npm start` finds out about models: `MODELS`, if the operator named a server and no models, and lines to print. Nothing
 * is asked where models are set up by JSON.
 *
 * @returns {Promise<{ lines: string[]; MODELS?: string }>}
 */
export async function discoverModels(env, { isDemo, usual = USUAL }) {
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: key, MODELS: models } = env;
  // Another kind of address is refused when the server reads its settings.
  if (baseUrl && /^https?:\/\//.test(baseUrl)) {
    const isJson = models?.trimStart().startsWith("[");
    const isSetUp = isJson || (!models && !isDemo);
    const { lines, ...settings } = isSetUp
      ? { lines: [] }
      : await fromServer(baseUrl, { key, models, hasRates: Boolean(env.RATES_FILE) });
    // Processes that share a database must agree, whatever a server answered each of them.
    return { lines, ...(isDemo && settings) };
  }
  return { lines: isDemo && !baseUrl && !models && !key ? await look(usual) : [] };
}

async function look(usual) {
  const found = await Promise.all(
    usual.map(async ([name, url]) => {
      const { listed } = await list(url, { waitMs: LOOK_MS });
      const chat = listed?.filter(isChat) ?? [];
      return chat.length > 0
        ? [`${name} runs here. To use ${chat[0].id}: OPENAI_BASE_URL=${url} npm start`]
        : [];
    }),
  );
  return found.flat();
}

async function fromServer(baseUrl, { key, models, hasRates }) {
  const server = { baseUrl, hasRates };
  const { listed, fault } = await list(baseUrl, { key, waitMs: ASK_MS });
  if (!listed) {
    const remedy = models ? "" : " Set MODELS, or start it and run npm start again.";
    return { lines: [`Warning: ${shown(baseUrl)}/models ${fault}.${remedy}`] };
  }
  const ids = (models ?? "").split(",").flatMap((id) => id.trim() || []);
  if (ids.length > 0) {
    const known = new Map(listed.map((model) => [model.id, model]));
    const wrong = ids.filter((id) => !known.has(id) && !id.startsWith("footnote-"));
    const lines = wrong.map(
      (id) => `Warning: ${shown(baseUrl)} doesn't list '${id}'. It has: ${names(listed)}`,
    );
    return {
      lines,
      ...settings(
        server,
        ids.map((id) => known.get(id) ?? { id }),
      ),
    };
  }
  const chat = listed.filter(isChat);
  if (chat.length === 0 || chat.length > MAX_LISTED) {
    const has = chat.length === 0 ? "no chat model" : `${chat.length} models`;
    return { lines: [`Warning: ${shown(baseUrl)} lists ${has}. Name those to use in MODELS.`] };
  }
  return {
    lines: [`Models of ${shown(baseUrl)}: ${names(chat)}`],
    ...settings(server, chat),
  };
}

/** The models that a server lists, or why it doesn't. */
async function list(baseUrl, { key = "none", waitMs }) {
  try {
    const response = await fetch(`${baseUrl.replace(/\/$/, "")}/models`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(waitMs),
      redirect: "error",
    });
    if (!response.ok) {
      const isLoading = response.status === 503;
      return { fault: `answers ${response.status}${isLoading ? ": it is still loading" : ""}` };
    }
    const { data } = await response.json();
    return Array.isArray(data)
      ? { listed: data.filter((model) => typeof model?.id === "string" && isId(model.id)) }
      : { fault: "isn't a list of models" };
  } catch (error) {
    const code = error.cause?.code ?? error.name;
    return { fault: error instanceof SyntaxError ? "isn't JSON" : `can't be reached (${code})` };
  }
}

/** Ids are printed and become settings. */
function isId(id) {
  return /^[\w./:@+ -]{1,200}$/.test(id);
}

function isChat({ id, type }) {
  return !NO_CHAT.test(`${id} ${type ?? ""}`);
}

function names(listed) {
  const ids = listed.slice(0, MAX_LISTED).map(({ id }) => id);
  return ids.join(", ") + (listed.length > ids.length ? ", …" : "");
}

/** A model on one's own machine is free, unless RATES_FILE or JSON prices it. */
function settings({ baseUrl, hasRates }, models) {
  const isFree = LOOPBACK.test(new URL(baseUrl).hostname) && !hasRates;
  const entries = models.map((model) => ({ ...toEntry(model), ...(isFree && { rates: FREE }) }));
  return { MODELS: JSON.stringify(entries) };
}

/** With its context, as vLLM, llama.cpp and LM Studio give it; an answer gets at most half of it. */
function toEntry({ id, max_model_len, meta, loaded_context_length, context_length }) {
  const context = [max_model_len, meta?.n_ctx, loaded_context_length, context_length].find(
    (length) => Number.isInteger(length) && length > 0,
  );
  return context
    ? {
        id,
        context_length: context,
        max_output_tokens: Math.max(1, Math.min(16_384, Math.floor(context / 2))),
      }
    : { id };
}

/** Without credentials. */
function shown(baseUrl) {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(/\/$/, "")}`;
}
