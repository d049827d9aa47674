import { nameCaller } from "@/lib/platform/auth/api-key";
import { notFoundHandler } from "@/lib/platform/http/methods";

/** An operation of OpenAI's that isn't here, which would otherwise be taken for the id of a response. */
export const { GET, POST, PUT, PATCH, DELETE } = notFoundHandler(nameCaller);
