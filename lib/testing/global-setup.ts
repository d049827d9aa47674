import pg from "pg";

const PREFIX = "footnote_test_";

/** Drops the workers' databases on a server. Embedded ones end with their process. */
export default function setup(): (() => Promise<void>) | undefined {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) {
    return undefined;
  }
  const run = `${PREFIX}${process.pid}_`;
  process.env.FOOTNOTE_TEST_RUN = run;
  return async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ datname: string }>(
      "SELECT datname FROM pg_database WHERE datname LIKE $1",
      [`${run}%`],
    );
    for (const { datname } of rows) {
      await client.query(`DROP DATABASE IF EXISTS "${datname}" WITH (FORCE)`);
    }
    await client.end();
  };
}
