// An empty list: one sentence, and the next step.
import type { ReactNode } from 'react'

/** The public id of a restaurant within a sentence. */
const ID = /(M-(?:PROD|TEST)-[A-Z0-9-]+)/

/** @param children the next step: one button or link */
export function Empty({ words, children }: { words: string; children?: ReactNode }) {
  return (
    <section className="empty">
      <p>
        {words.split(ID).map((part, at) =>
          // Every second part is an id.
          at % 2 === 0 ? (
            part
          ) : (
            <code key={part} className="id">
              {part}
            </code>
          ),
        )}
      </p>
      {children}
    </section>
  )
}
