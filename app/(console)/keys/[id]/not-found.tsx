import { MissingKey } from "@/components/keys/missing-key";

export default MissingKey;
