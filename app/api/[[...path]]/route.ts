import { notFoundHandler } from "@/lib/platform/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = notFoundHandler();
