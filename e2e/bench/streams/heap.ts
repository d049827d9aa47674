import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/** Node's debugger port after SIGUSR1. */
const INSPECTOR = "http://127.0.0.1:9229/json/list";

/** A process's heap and buffers in bytes, after a full garbage collection. */
export async function heldBytes(pid: number): Promise<number> {
  process.kill(pid, "SIGUSR1");
  const socket = new WebSocket(await debuggerOf(pid));
  await once(socket, "open");
  const ask = (id: number, method: string, params = {}) => {
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise<{ result: { value: string } }>((resolve) => {
      socket.addEventListener("message", ({ data }) => {
        const answer = JSON.parse(data);
        if (answer.id === id) {
          resolve(answer.result);
        }
      });
    });
  };
  try {
    await ask(1, "HeapProfiler.collectGarbage");
    const { result } = await ask(2, "Runtime.evaluate", {
      expression: "JSON.stringify(process.memoryUsage())",
    });
    const { heapUsed, external } = JSON.parse(result.value);
    return heapUsed + external;
  } finally {
    socket.close();
  }
}

async function debuggerOf(pid: number): Promise<string> {
  for (let tries = 0; tries < 50; tries += 1) {
    const found = await fetch(INSPECTOR).then(
      async (answer) => (await answer.json()) as { title: string; webSocketDebuggerUrl: string }[],
      () => [],
    );
    const [target] = found;
    if (target) {
      return target.webSocketDebuggerUrl;
    }
    await sleep(100);
  }
  throw new Error(`process ${pid} has no debugger on port 9229`);
}
