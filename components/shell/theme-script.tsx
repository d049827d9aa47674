/** Applies the stored theme before the first paint, so that a reload never flashes the other one. */
export function ThemeScript() {
  // Backticks, because React escapes quotes inside script text.
  return (
    <script>
      {
        "try{const t=localStorage.getItem(`theme`);if(t)document.documentElement.dataset.theme=t}catch{}"
      }
    </script>
  );
}
