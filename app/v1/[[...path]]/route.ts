import { nameCaller } from "@/lib/platform/auth/api-key";
import { notFoundHandler } from "@/lib/platform/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = notFoundHandler(nameCaller);
