import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { programFile, startProgram } from "@/lib/platform/program-file";
import { processSingleton } from "@/lib/singleton";
import { Circuit } from "../vendor/circuit";
import { outcomeOfFailure } from "../vendor/exchange";
import { UpstreamCall } from "../vendor/upstream-call";
import { type LocalModel, readManifest } from "./local-models";
import type { ModelProcessSettings, ModelReply } from "./model-process";

/** A slow disk reads 120 MB in some seconds. */
const LOAD_MS = 60_000;
/** The longest text takes half a second on a slow CPU. */
const ANSWER_MS = 10_000;

interface Task {
  text: string;
  signal: AbortSignal;
  resolve: (reply: ModelReply) => void;
  reject: (cause: unknown) => void;
}

const hosts = processSingleton("local models", () => new Map<string, ModelHost>());

/**
 * Embeds texts with a model on this machine: one vector per text, in order. Throws the signal's reason, a TimeoutError, or an
 * error whose message says what the model did.
 */
export function createLocalAsk(local: LocalModel, facts: { model: string; timeoutMs: number }) {
  const { model, timeoutMs } = facts;
  // Of the same weights for good: others would have another vector space.
  let host: ModelHost | undefined;
  return async (
    texts: readonly string[],
    { signal, isBackground }: { signal: AbortSignal; isBackground?: boolean },
  ) => {
    const url = new URL("http://localhost");
    const call = new UpstreamCall({ operation: "embeddings", upstreamModel: model, model, url });
    const stop = new AbortController();
    const options = {
      signal: AbortSignal.any([signal, stop.signal, AbortSignal.timeout(timeoutMs)]),
      isUrgent: !isBackground && texts.length === 1,
    };
    try {
      host ??= findModelHost(local);
      const { embed } = host;
      const replies = await Promise.all(texts.map((text) => embed(text, options)));
      call.ended("ok");
      return {
        vectors: replies.map(({ vector = [] }) => vector),
        tokens: replies.reduce((sum, { tokens = 0 }) => sum + tokens, 0),
      };
    } catch (cause) {
      call.ended(signal.aborted ? "aborted" : outcomeOfFailure(cause));
      throw cause;
    } finally {
      // If one text fails, the others aren't needed.
      stop.abort();
    }
  };
}

/** The one of this process for a model as it was added. Throws when it wasn't. */
function findModelHost(model: LocalModel): ModelHost {
  const key = JSON.stringify(readManifest(model));
  const host = hosts.get(key) ?? createModelHost(model);
  hosts.set(key, host);
  return host;
}

type ModelHost = ReturnType<typeof createModelHost>;

/** Runs a model in a child process. It gets one text at a time: queries first, so that they wait for one passage at most. */
export function createModelHost(model: LocalModel, answerMs = ANSWER_MS) {
  const runner = createRunner(model, answerMs);
  const circuit = new Circuit(1);
  const queries: Task[] = [];
  const passages: Task[] = [];
  let isRunning = false;
  let failure: unknown;

  async function runAll(): Promise<void> {
    if (isRunning) {
      return;
    }
    isRunning = true;
    for (let task = next(); task; task = next()) {
      await run(task);
    }
    isRunning = false;
    runner.rest();
  }

  function next(): Task | undefined {
    return queries.shift() ?? passages.shift();
  }

  async function run({ text, signal, resolve, reject }: Task): Promise<void> {
    if (signal.aborted) {
      return;
    }
    if (!circuit.allowsCall()) {
      reject(failure);
      return;
    }
    const end = circuit.begin("");
    try {
      resolve(await runner.ask(text));
      end("working");
    } catch (cause) {
      failure = cause;
      end("failed");
      reject(cause);
    }
  }

  return {
    /** Throws the signal's reason, or an error for the log. */
    embed: (text: string, { signal, isUrgent }: { signal: AbortSignal; isUrgent: boolean }) =>
      new Promise<ModelReply>((resolve, reject) => {
        signal.throwIfAborted();
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        (isUrgent ? queries : passages).push({ text, signal, resolve, reject });
        void runAll();
      }),
  };
}

/** The child process: it starts with the first text, again after a failure, and ends with this process. */
function createRunner(model: LocalModel, answerMs: number) {
  const { folder, runtime, maxTokens, memoryMb } = model;
  const settings: ModelProcessSettings = { folder, runtime, maxTokens, ...readManifest(model) };
  let child: ChildProcess | undefined;

  function stop(): void {
    child?.kill("SIGKILL");
    child = undefined;
  }

  return {
    ask: async (text: string): Promise<ModelReply> => {
      try {
        if (!child?.connected) {
          child = start(settings);
          await receive(child, LOAD_MS);
        }
        child.ref();
        child.channel?.ref();
        // The end of the process is noticed by the receiver.
        child.send(text, () => {});
        const reply = await receive(child, answerMs);
        if ((reply.memoryMb ?? 0) > memoryMb) {
          stop();
        }
        return reply;
      } catch (cause) {
        stop();
        throw cause;
      }
    },
    /** An idle process doesn't keep this one running. */
    rest: () => {
      child?.unref();
      child?.channel?.unref();
    },
  };
}

function start(settings: ModelProcessSettings): ChildProcess {
  const file = programFile("model-process.mjs", "lib/models/local/model-process.ts");
  return startProgram(file, settings, "local model's process failed");
}

async function receive(child: ChildProcess, limitMs: number): Promise<ModelReply> {
  const ended = new AbortController();
  const late = AbortSignal.timeout(limitMs);
  const end = () => ended.abort();
  child.once("disconnect", end);
  try {
    const signal = AbortSignal.any([ended.signal, late]);
    const [reply] = (await once(child, "message", { signal })) as [ModelReply];
    if (reply.error) {
      throw new Error(`failed: ${reply.error}`);
    }
    return reply;
  } catch (cause) {
    const why = late.aborted ? `did not answer within ${limitMs} ms` : "ended its process";
    throw late.aborted || ended.signal.aborted ? new Error(why) : cause;
  } finally {
    child.off("disconnect", end);
  }
}
