import type { ChildProcess } from "node:child_process";
import { on, once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { deserialize } from "node:v8";
import pLimit from "p-limit";
import { yieldIfLong } from "@/lib/event-loop";
import { log } from "@/lib/platform/log";
import { startProgram } from "@/lib/platform/program-file";
import { DocumentError, faultOf } from "@/lib/reading/document-error";
import { mergePart } from "@/lib/reading/parse/answer-parts";
import type {
  ProcessSettings,
  TaskEnd,
  TaskHeader,
  TaskName,
} from "@/lib/reading/process/process-messages";
import { workerFile } from "./worker-file";

/** Limits on processes; memory and CPU time are a task's. */
export interface PoolLimits {
  processes: number;
  memoryMb: number;
  timeoutMs: number;
  /** What an answer may take in this process. */
  maxAnswerBytes?: number;
}

interface Task {
  /** Plain data. */
  message: object;
  /** Names the files, so that a process that has them already isn't sent them again. */
  key?: string;
  load: () => Uint8Array[] | Promise<Uint8Array[]>;
}

interface Outcome<Answer> {
  answer: Answer | ReturnType<typeof faultOf>;
  /** CPU time of the task. */
  cpuMs: number;
}

/** `killed` from outside, such as by a kernel without memory: perhaps for another process's sake. */
type Ending<Answer> = Outcome<Answer> & { state: TaskEnd["state"] | "killed" };

export interface ProcessPool {
  /**
   * Runs a task in a child process. What exceeds a limit, or ends its process, is a fault `too_complex`; other errors
   * are thrown and can be retried. Aborting ends the process.
   */
  run<Answer extends object>(task: Task, signal?: AbortSignal): Promise<Outcome<Answer>>;
  close(): Promise<void>;
}

interface Child {
  process: ChildProcess;
  /** Of the files that it has. */
  key?: string | undefined;
  /** Ends it when it has been idle for long. */
  timer?: NodeJS.Timeout;
}

/** A process takes 100 MB for vocabulary and parsers, so idle ones end. */
const IDLE_MS = 30_000;
/** Bytes are sent in slices, so that no file holds up this process. */
const SLICE_BYTES = 1024 * 1024;
/** What a document may leave in this process. The largest allowed one takes a third. */
const MAX_ANSWER_BYTES = 96 * 1024 * 1024;

/**
 * Child processes that run one task each at a time. V8 ends a whole process when a thread in it has no memory left, and
 * its flags override the limits of threads, so only a process can be limited safely.
 */
export function openProcessPool(name: TaskName, limits: PoolLimits): ProcessPool {
  const limit = pLimit(limits.processes);
  const idle = new Set<Child>();
  const all = new Set<Child>();
  let isClosed = false;

  function start(): Child {
    const child: Child = { process: startProcess(name, limits) };
    all.add(child);
    child.process.once("exit", () => {
      idle.delete(child);
      all.delete(child);
    });
    return child;
  }

  function take(key?: string): Child {
    const waiting = [...idle].filter((each) => each.process.connected);
    const child = waiting.find((each) => each.key === key) ?? waiting[0] ?? start();
    clearTimeout(child.timer);
    idle.delete(child);
    child.process.ref();
    child.process.channel?.ref();
    return child;
  }

  /** An idle process doesn't keep this one running. */
  function release(child: Child): void {
    idle.add(child);
    child.timer = setTimeout(() => end(child), IDLE_MS).unref();
    child.process.unref();
    child.process.channel?.unref();
  }

  async function run<Answer extends object>(
    task: Task,
    signal: AbortSignal | undefined,
    isRetry = false,
  ): Promise<Outcome<Answer>> {
    signal?.throwIfAborted();
    const child = take(task.key);
    try {
      const ended = receiveAnswer<Answer>(child, limits, signal);
      const [{ state, ...outcome }] = await Promise.all([ended, send(child, task)]);
      if (state === "answered") {
        child.key = "fault" in outcome.answer ? undefined : task.key;
        release(child);
        return outcome;
      }
      await end(child);
      if (isClosed) {
        throw new Error("The processes that read documents were ended.");
      }
      return state === "killed" && !isRetry ? await run(task, signal, true) : outcome;
    } catch (thrown) {
      await end(child);
      signal?.throwIfAborted();
      throw thrown;
    }
  }

  return {
    run: (task, signal) => limit(() => run(task, signal)),
    close: async () => {
      isClosed = true;
      await Promise.all([...all].map(end));
    },
  };
}

function startProcess(name: TaskName, { memoryMb, timeoutMs }: PoolLimits): ChildProcess {
  const settings: ProcessSettings = { name, memoryMb, timeoutMs };
  return startProgram(workerFile(), settings, "document process failed");
}

async function end({ process }: Child): Promise<void> {
  // An idle one doesn't keep this process running, which now waits for it.
  process.ref();
  process.kill("SIGKILL");
  await whenEnded(process);
}

async function whenEnded(process: ChildProcess): Promise<void> {
  if (process.pid !== undefined && process.exitCode === null && process.signalCode === null) {
    await once(process, "exit");
  }
}

/** Sends a task. The end of the process is noticed by the receiver. */
async function send({ process, key }: Child, task: Task): Promise<void> {
  const isKnown = task.key !== undefined && task.key === key;
  const files = isKnown ? [] : await task.load();
  const write = (piece: TaskHeader | Uint8Array) =>
    new Promise<void>((resolve) => process.send(piece, () => resolve()));
  await write({ message: task.message, sizes: files.map(({ byteLength }) => byteLength) });
  for (const file of files) {
    for (let at = 0; at < file.byteLength && process.connected; at += SLICE_BYTES) {
      await write(new Uint8Array(file.subarray(at, at + SLICE_BYTES)));
    }
  }
}

async function receiveAnswer<Answer>(
  { process }: Child,
  { timeoutMs, maxAnswerBytes = MAX_ANSWER_BYTES }: PoolLimits,
  signal?: AbortSignal,
): Promise<Ending<Answer>> {
  const startedAt = performance.now();
  const elapsedMs = () => Math.ceil(Math.min(performance.now() - startedAt, timeoutMs));
  const slices: Uint8Array[] = [];
  let size = 0;
  const messages = on(process, "message", { close: ["disconnect"], ...(signal && { signal }) });
  for await (const [message] of messages as AsyncIterable<[Uint8Array | TaskEnd]>) {
    if (!(message instanceof Uint8Array)) {
      return await toEnding(message, slices);
    }
    slices.push(message);
    size += message.byteLength;
    if (size > maxAnswerBytes) {
      return { state: "exceeded", answer: tooComplex(), cpuMs: elapsedMs() };
    }
  }
  await whenEnded(process);
  const { exitCode, signalCode } = process;
  log.warn({ exit_code: exitCode, signal: signalCode }, "document process died");
  const state = signalCode === "SIGKILL" ? "killed" : "exceeded";
  return { state, answer: tooComplex(), cpuMs: elapsedMs() };
}

async function toEnding<Answer>(
  { state, cpuMs, message, sizes = [] }: TaskEnd,
  slices: readonly Uint8Array[],
): Promise<Ending<Answer>> {
  if (state === "failed") {
    throw new Error(message);
  }
  const answer = state === "answered" ? await readParts(slices, sizes) : tooComplex();
  return { state, answer, cpuMs };
}

async function readParts(slices: readonly Uint8Array[], sizes: readonly number[]) {
  const bytes = Buffer.concat(slices);
  await setImmediate();
  const read = (start: number, size = 0) => deserialize(bytes.subarray(start, start + size));
  const answer = read(0, sizes[0]);
  let start = sizes[0] ?? 0;
  for (const size of sizes.slice(1)) {
    await yieldIfLong();
    mergePart(answer, read(start, size));
    start += size;
  }
  return answer;
}

function tooComplex() {
  return faultOf(new DocumentError("too_complex"));
}
