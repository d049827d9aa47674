import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { log } from "@/lib/platform/log";
import { programFile } from "@/lib/platform/program-file";
import { processSingleton } from "@/lib/singleton";
import { Circuit } from "../vendor/circuit";
import { type LocalModel, readManifest } from "./local-models";
import type { ModelProcessSettings, ModelReply } from "./model-process";

/** A slow disk reads 120 MB in some seconds. */
const LOAD_MS = 60_000;
/** The longest text takes half a second on a slow CPU. */
const ANSWER_MS = 10_000;
/** No secrets. */
const ENVIRONMENT = { NODE_ENV: "production" } as const;

interface Task {
  text: string;
  signal: AbortSignal;
  resolve: (reply: ModelReply) => void;
  reject: (cause: unknown) => void;
}

class ProcessEndedError extends Error {}

const hosts = processSingleton("local models", () => new Map<string, ModelHost>());

/** The one of this process for a model as it was added. Throws when it wasn't. */
export function findModelHost(model: LocalModel): ModelHost {
  const key = JSON.stringify(readManifest(model));
  const host = hosts.get(key) ?? createModelHost(model);
  hosts.set(key, host);
  return host;
}

export type ModelHost = ReturnType<typeof createModelHost>;

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

/** The child process: it starts with the first text, again after a crash, and ends with this process. */
function createRunner(model: LocalModel, answerMs: number) {
  const { folder, runtime, maxTokens, memoryMb } = model;
  const { files } = readManifest(model);
  let child: ChildProcess | undefined;

  async function askOnce(text: string): Promise<ModelReply> {
    child = child?.connected ? child : await start({ folder, runtime, maxTokens, files });
    child.ref();
    child.channel?.ref();
    // The end of the process is noticed by the receiver.
    child.send(text, () => {});
    const reply = await receive(child, answerMs);
    if ((reply.memoryMb ?? 0) > memoryMb) {
      log.info({ model: model.id, memory_mb: reply.memoryMb }, "replacing local model's process");
      child.kill("SIGKILL");
      child = undefined;
    }
    return reply;
  }

  return {
    /** Asks a second time after a crash: another text, or the system, may have ended the process. */
    ask: async (text: string): Promise<ModelReply> => {
      try {
        return await askOnce(text);
      } catch (cause) {
        if (!(cause instanceof ProcessEndedError)) {
          throw cause;
        }
        log.warn({ err: cause, model: model.id }, "restarting local model");
        return askOnce(text);
      }
    },
    /** An idle process doesn't keep this one running. */
    rest: () => {
      child?.unref();
      child?.channel?.unref();
    },
  };
}

async function start(settings: ModelProcessSettings): Promise<ChildProcess> {
  const file = programFile("model-process.mjs", "lib/models/local/model-process.ts");
  const started = fork(file, [JSON.stringify(settings)], {
    env: ENVIRONMENT,
    // The parent's flags may be those of tsx, vitest or a server with a large young generation.
    execArgv: [],
    // JSON has no NaN.
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  started.on("error", (cause) => log.error({ err: cause }, "local model's process failed"));
  try {
    await receive(started, LOAD_MS);
    return started;
  } catch (cause) {
    started.kill("SIGKILL");
    throw cause;
  }
}

async function receive(child: ChildProcess, limitMs: number): Promise<ModelReply> {
  const ended = new AbortController();
  const end = () => ended.abort();
  const late = AbortSignal.timeout(limitMs);
  child.once("disconnect", end);
  try {
    const signal = AbortSignal.any([ended.signal, late]);
    const [reply] = (await once(child, "message", { signal })) as [ModelReply];
    if (reply.error) {
      throw new Error(`the local model failed: ${reply.error}`);
    }
    return reply;
  } catch (cause) {
    if (late.aborted) {
      child.kill("SIGKILL");
      throw new Error(`the local model did not answer within ${limitMs} ms`);
    }
    throw ended.signal.aborted ? new ProcessEndedError("the local model's process ended") : cause;
  } finally {
    child.off("disconnect", end);
  }
}
