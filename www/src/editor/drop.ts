// Files dropped on the page.

/** Calls `onDrop(files)` when files are dropped anywhere; `sign` is shown while they are above the page. */
export function acceptDrops(sign: HTMLElement, onDrop: (files: File[]) => unknown): void {
  /** The number of nested elements that the pointer has entered. */
  let depth = 0;
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  const dropping = (is: boolean) => (sign.hidden = !is);
  addEventListener('dragenter', (event) => hasFiles(event) && (event.preventDefault(), (depth += 1), dropping(true)));
  addEventListener('dragleave', (event) => hasFiles(event) && (depth = Math.max(0, depth - 1)) === 0 && dropping(false));
  addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault());
  addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    dropping(false);
    onDrop([...(event.dataTransfer?.files ?? [])]);
  });
}
