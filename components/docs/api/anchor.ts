/** Such as `get-v1-kb-jobs-job_id`. */
export function anchorOf(method: string, path: string): string {
  return `${method}${path.replaceAll(/[^\w]+/g, "-")}`.replace(/-$/, "");
}
