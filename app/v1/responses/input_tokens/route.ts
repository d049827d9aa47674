import { nameCaller } from "@/lib/auth/api-key";
import { notFoundHandler } from "@/lib/http/methods";

/** An operation of OpenAI's that isn't here, which would otherwise be taken for the id of a response. */
export const { GET, POST, PUT, PATCH, DELETE } = notFoundHandler(nameCaller);
