import { Readable } from "node:stream";
import { session } from "@/lib/auth/session-gate";
import { GetStatement } from "@/lib/billing/schema";
import { Download } from "@/lib/http/download";
import { onlyGet } from "@/lib/http/only-method";
import { getStatement } from "@/lib/usage/read/statement";
import { renderStatement } from "@/lib/usage/read/statement-pdf";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  query: GetStatement,
  handle: async ({ ctx, query }) => {
    const file = await renderStatement(await getStatement(ctx, query.month));
    return new Download(Readable.from([file]), {
      name: `footnote-statement-${query.month}.pdf`,
      mediaType: "application/pdf",
    });
  },
});
