import { nameCaller } from "@/lib/auth/api-key";
import { notFoundHandler } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = notFoundHandler(nameCaller);
