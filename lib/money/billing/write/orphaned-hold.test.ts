import { expect, it } from "vitest";
import { keyContext, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { expireOrphanedHold, placeHold, releaseExpiredHolds } from "./hold";

it("releases an orphaned hold with the next sweep", async () => {
  const { id, ctx, keyId } = await makeKeyedAccount();
  const [unheard, heard] = [keyContext(ctx, { id: keyId }), keyContext(ctx, { id: keyId })];
  await placeHold(unheard, 1000n);
  await placeHold(heard, 2000n);
  await Promise.all([
    expireOrphanedHold(unheard.requestId, 0),
    expireOrphanedHold("req_never_placed", 0),
  ]);
  await releaseExpiredHolds();
  expect(await readMoney(id)).toMatchObject({ held: 2000n, openHolds: 2000n });
});
