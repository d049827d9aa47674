import "server-only";

import { isDeepStrictEqual } from "node:util";
import type { Row } from "@/lib/platform/db/client";
import { resolveTitle } from "@/lib/reading/describe";
import type { AcceptedDocument, UpdateDocument } from "../schema";

/** What a stored document says about itself. */
export interface Described extends Row {
  title: string;
  source_type: string;
  url: string | null;
  published_at: Date | null;
  metadata: unknown;
  standing: string;
  /** Of a version in progress: the fields that it changes. */
  awaited_description: UpdateDocument | null;
}

type Description = Omit<UpdateDocument, "published_at" | "url" | "standing" | "metadata"> &
  Record<string, unknown> & { published_at?: string | Date | null | undefined };

/** A warning that names what an upload says about a document that stays as it is. */
export function warningsOfNotApplied(
  { awaited_description: awaited, ...stored }: Described,
  description: UpdateDocument,
  { hasSameBytes }: { hasSameBytes: boolean },
): Pick<AcceptedDocument, "warnings"> {
  const known = comparable({ ...stored, ...awaited });
  const fields = Object.entries(comparable(description)).flatMap(([name, value]) =>
    isDeepStrictEqual(value, known[name]) ? [] : [`'${name}'`],
  );
  const names = [...(hasSameBytes ? [] : ["'file'"]), ...fields];
  return names.length === 0
    ? {}
    : {
        warnings: [
          {
            code: "fields_not_applied",
            message: `The document was here already and stays as it is: ${names.join(", ")} of this upload had no effect. Change the fields with PATCH /v1/kb/documents/{id}, or upload with an 'external_id' and 'on_duplicate: replace'.`,
          },
        ],
      };
}

/** As they are stored. */
function comparable({ title, published_at: at, ...fields }: Description): Record<string, unknown> {
  return {
    ...fields,
    ...(title !== undefined && { title: resolveTitle({ title, own: null, name: null, text: "" }) }),
    ...(at !== undefined && { published_at: at && new Date(at).getTime() }),
  };
}
