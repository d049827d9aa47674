import { onTestFinished } from "vitest";
import { execute } from "@/lib/platform/db/client";

/** Where an account's money transaction fails: midway or at commit. */
export type Break = "entry" | "commit";

/** Makes the database fail such transactions while armed, until the test ends. */
export async function breakableDatabase(): Promise<{
  arm(accountId: string, place: Break): Promise<void>;
  disarm(): Promise<void>;
}> {
  onTestFinished(async () => {
    await execute("DROP TABLE test_break CASCADE");
    await execute("DROP FUNCTION test_break() CASCADE");
  });
  await execute("CREATE TABLE test_break (account_id text, place text)");
  await execute(`CREATE FUNCTION test_break() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM test_break b WHERE b.account_id = NEW.account_id AND b.place = TG_ARGV[0]) THEN
        RAISE EXCEPTION 'the disk is full';
      END IF;
      RETURN NEW;
    END $$`);
  await execute(`CREATE TRIGGER test_break BEFORE INSERT ON ledger_entry
    FOR EACH ROW EXECUTE FUNCTION test_break('entry')`);
  await execute(`CREATE CONSTRAINT TRIGGER test_break AFTER UPDATE ON checkout_session
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION test_break('commit')`);
  return {
    arm: async (accountId, place) => {
      await execute("INSERT INTO test_break VALUES ($1, $2)", [accountId, place]);
    },
    disarm: async () => {
      await execute("TRUNCATE test_break");
    },
  };
}
