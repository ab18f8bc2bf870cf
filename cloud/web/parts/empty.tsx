// Nothing is here yet: one sentence, and the one next act.
import type { ReactNode } from 'react'

/** @param children the next act: one button or link */
export function Empty({ words, children }: { words: string; children?: ReactNode }) {
  return (
    <section className="empty">
      <p>{words}</p>
      {children}
    </section>
  )
}
