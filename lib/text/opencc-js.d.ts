declare module "opencc-js/dict/*" {
  const table: string;
  export = table;
}
