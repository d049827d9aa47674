import { Readable } from "node:stream";
import { GetStatement } from "@/lib/money/billing/schema";
import { getStatement } from "@/lib/money/usage/read/statement";
import { renderStatement } from "@/lib/money/usage/read/statement-pdf";
import { session } from "@/lib/platform/auth/session-gate";
import { Download } from "@/lib/platform/http/download";
import { onlyGet } from "@/lib/platform/http/only-method";

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
