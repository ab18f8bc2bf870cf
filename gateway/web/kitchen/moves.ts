// How elements of a list are moved: after the browser's own moveBefore, Chromium keeps the old style of what is in an element whose class changed just before.

/** Preact asks for moveBefore: it gets one that every browser can do, and that gives the focus back; to be called before anything is drawn. */
export function haveMoves(): void {
  Object.assign(Element.prototype, {
    moveBefore(this: Element, moved: Node, next: Node | null | undefined): void {
      const focused = document.activeElement
      this.insertBefore(moved, next ?? null)
      const isLost = focused !== document.activeElement && moved.contains(focused)
      if (isLost && focused instanceof HTMLElement) focused.focus({ preventScroll: true })
    },
  })
}
