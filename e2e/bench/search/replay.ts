import pg from "pg";

export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

type Queryable = { query(...given: unknown[]): unknown };

/** Records every retrieval statement that `work` runs, in start order. */
export async function recorded(work: () => Promise<unknown>): Promise<Statement[]> {
  const prototype = pg.Client.prototype as unknown as Queryable;
  const { query } = prototype;
  const statements: Statement[] = [];
  prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [config] = given as [Partial<Statement> | undefined];
    // Those with a filter have no name.
    if (/^retrieval_|^$/.test(config?.name ?? "other")) {
      statements.push({
        name: config?.name ?? "",
        text: config?.text ?? "",
        values: config?.values ?? [],
      });
    }
    return query.apply(this, given);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return statements;
}

/** Replays the same statements and values without the product's code: search methods in parallel, the rest in sequence. */
export class Bare {
  private constructor(private readonly clients: pg.Client[]) {}

  /** `settings` are the product's connection settings. */
  static async open(url: string, settings: Record<string, string>): Promise<Bare> {
    const clients = Array.from({ length: 4 }, () => new pg.Client({ connectionString: url }));
    for (const client of clients) {
      await client.connect();
      for (const [name, value] of Object.entries(settings)) {
        await client.query("SELECT set_config($1, $2, false)", [name, value]);
      }
    }
    return new Bare(clients);
  }

  async run(statements: readonly Statement[]): Promise<void> {
    const legs = statements.filter((each) => isWords(each) || isVectors(each));
    const first = statements.filter(({ name }) => name === "retrieval_statistics");
    const last = statements.filter(({ name }) => name === "retrieval_passages");
    await this.runEach(first);
    await this.runEach(legs);
    await this.runEach(last);
  }

  /** In parallel, each on its own connection. */
  async runEach(statements: readonly Statement[]): Promise<pg.QueryResultRow[][]> {
    return Promise.all(
      statements.map(async (statement, index) => {
        const client = this.clients[index % this.clients.length];
        const result = await client?.query<pg.QueryResultRow>({ ...statement });
        return result?.rows ?? [];
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.end()));
  }
}

export function isWords({ text }: Statement): boolean {
  return text.includes(" AS bm25 FROM chunk c");
}

export function isVectors({ text }: Statement): boolean {
  return text.includes(" AS near");
}
