throw new Error(
  "A unit test reached a database driver: lib/testing/classify-tests.ts missed the import that leads there.",
);
