// Chrome 70 has no queueMicrotask, by which the display is drawn after each change.

/** Gives the page what its browser lacks; to be called before anything is drawn. */
export function haveMicrotasks(): void {
  if ('queueMicrotask' in window) return
  Object.assign(window, { queueMicrotask: (run: () => void) => void Promise.resolve().then(run) })
}
