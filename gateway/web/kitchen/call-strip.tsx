// Voids and changes that nobody here has acknowledged: counted, and a tap goes to the ticket, on whatever page it stands.
import type { KitchenModel, Snapshot } from './kitchen-model.ts'
import { fill, useWords } from './messages/words.tsx'

/** As many as a wide screen has room for; the oldest first, so that all come to be seen. */
const MOST_NAMED = 4

export function CallStrip({ model, strip }: { model: KitchenModel; strip: Snapshot['strip'] }) {
  const { m, number } = useWords()
  const [oldest] = strip
  if (!oldest) return null
  const count = (kind: 'void' | 'change'): number => strip.filter((item) => item.kind === kind).length
  const words = (['void', 'change'] as const)
    .filter((kind) => count(kind) > 0)
    .map((kind) => fill(kind === 'void' ? m.voids : m.changes, { n: number(count(kind)) }))
  return (
    <section className="calls" aria-label={m.toAcknowledge} aria-live="polite">
      <button type="button" className="call-count" onClick={() => model.goTo(oldest.orderId)}>
        {words.join(' · ')}
      </button>
      <ul>
        {strip.slice(0, MOST_NAMED).map(({ kind, orderId, number: name }) => (
          <li key={`${kind} ${orderId}`}>
            <button
              type="button"
              className={`call call-${kind}`}
              aria-label={fill(m.goToOrder, { number: name })}
              onClick={() => model.goTo(orderId)}
            >
              <bdi>#{name}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
