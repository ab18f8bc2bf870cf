// The frame of a table that may be wider than its place: it scrolls by itself, by keyboard too.
import type { ReactNode } from 'react'

/** @param label what scrolls, for a screen reader; another one than that of the table */
export function ScrollFrame({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a place for the focus nobody scrolls it by keyboard
    <section className="table-frame" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
