import { MissingLink } from "@/components/sharing/missing-link";

export default MissingLink;
