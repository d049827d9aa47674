import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { call } from "@/lib/testing/api";
import { makeKeyedAccount, readMoney, setBalance } from "@/lib/testing/factories";
import { buildPrograms } from "@/lib/testing/programs";
import { searchCost } from "./rates";

const AFFORDED = 40;
const SENT = 10 * AFFORDED;
const PROCESSES = 3;
const TEST_MS = 120_000;

/** An account whose balance covers exactly AFFORDED searches, to the micro-dollar. */
async function makePayer() {
  const account = await makeKeyedAccount();
  await setBalance(account.id, (AFFORDED * Number(searchCost())) / 1_000_000);
  return account;
}

describe("ten times more concurrent requests than the balance covers", () => {
  it.runIf(process.env.TEST_DATABASE_URL)(
    "are admitted exactly up to the balance by three processes",
    async () => {
      const { id, key } = await makePayer();
      const run = await buildPrograms(
        { money: "lib/testing/money-process.ts" },
        { REQUESTS_PER_MINUTE: "100000" },
      );
      const children = Array.from({ length: PROCESSES }, () =>
        run("money", key, String(Math.ceil(SENT / PROCESSES))),
      );
      await Promise.all(children.map(({ stdout }) => stdout && once(stdout, "data")));
      const outputs = children.map(({ stdin, stdout }) => {
        stdin?.end("go\n");
        return stdout ? text(stdout) : "";
      });
      const counts: Record<string, number>[] = (await Promise.all(outputs)).map((output) =>
        JSON.parse(output),
      );
      await expectSpent(id, sumOf(counts));
    },
    TEST_MS,
  );

  it("are admitted exactly up to the balance by one process", async () => {
    const { id, key } = await makePayer();
    const body = { query: "stroke", sources: ["public_kb"] };
    const answers = await Promise.all(
      Array.from({ length: SENT }, () => call("POST", "/v1/kb/search", { key, body })),
    );
    await expectSpent(
      id,
      sumOf(
        answers.map(({ status, json }) => ({
          [`${status} ${json.error?.code ?? json.usage.cost_usd}`]: 1,
        })),
      ),
    );
  });
});

function sumOf(counts: readonly Record<string, number>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [name, count] of counts.flatMap(Object.entries<number>)) {
    sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
}

/** Expects that every affordable request was charged and all others were rejected with 402. */
async function expectSpent(accountId: string, counts: Record<string, number>): Promise<void> {
  const { "200 0.000500": paid, ...refused } = counts;
  expect(paid).toBe(AFFORDED);
  expect(Object.keys(refused).toSorted()).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^402 (balance_reserved|insufficient_balance)$/),
    ]),
  );
  expect(Object.keys(refused).every((name) => name.startsWith("402 "))).toBe(true);
  expect(Object.values(refused).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(
    SENT - AFFORDED,
  );
  expect(await readMoney(accountId)).toEqual({
    balance: 0n,
    held: 0n,
    ledgerSum: 0n,
    openHolds: 0n,
  });
}
