import { Readable } from "node:stream";
import { GetStatement } from "@/lib/money/billing/schema";
import { getStatement } from "@/lib/money/usage/read/statement";
import { renderStatement } from "@/lib/money/usage/read/statement-pdf";
import { memberGet } from "@/lib/platform/auth/member-route";
import { Download } from "@/lib/platform/http/download";

export const { GET, POST, PUT, PATCH, DELETE } = memberGet({
  query: GetStatement,
  handle: async ({ ctx, query }) => {
    const file = await renderStatement(await getStatement(ctx, query.month));
    return new Download(Readable.from([file]), {
      name: `footnote-statement-${query.month}.pdf`,
      mediaType: "application/pdf",
    });
  },
});
