import * as z from "zod";
import { MAX_KEY } from "@/lib/library/documents/filter-value";
import { parseAttribute } from "./attribute-value";

/** The values of the form, as typed. */
export const AttributeForm = z
  .object({
    name: z.string().trim().min(1, "Enter a name.").max(MAX_KEY),
    value: z.string().trim(),
    isRemoved: z.boolean(),
  })
  .refine(({ value, isRemoved }) => isRemoved || value !== "", {
    path: ["value"],
    message: 'Enter a value. For empty text, enter "".',
  });

/** The change that the API expects: null removes an attribute. */
export function toAttributeChange({ name, value, isRemoved }: z.infer<typeof AttributeForm>) {
  return { [name]: isRemoved ? null : parseAttribute(value) };
}
