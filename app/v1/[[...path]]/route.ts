import { noSuchPath } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = noSuchPath();
