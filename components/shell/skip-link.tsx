/** The first stop of the Tab key: past the navigation, to the page itself. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 font-medium text-on-accent focus-visible:translate-y-0"
    >
      Skip to content
    </a>
  );
}
