// The question before Ready of an order whose stations are not done: who has how much open. Nothing else can be touched until it is answered.
import { useEffect, useRef } from 'react'
import type { KitchenModel, Snapshot } from './kitchen-model.ts'
import { fill, useWords } from './messages/words.tsx'
import './ask.css'

export function AskDialog({ model, asking }: { model: KitchenModel; asking: NonNullable<Snapshot['asking']> }) {
  const { m, number } = useWords()
  const no = useRef<HTMLButtonElement>(null)
  // What a hasty Enter presses is the answer that changes nothing.
  useEffect(() => no.current?.focus(), [])
  return (
    <div className="veil">
      <div className="ask" role="alertdialog" aria-modal="true" aria-labelledby="ask-title" aria-describedby="ask-open">
        <h2 id="ask-title">
          <bdi>{fill(m.askTitle, { number: asking.number })}</bdi>
        </h2>
        <ul id="ask-open">
          {asking.open.map(({ name, lines }) => (
            <li key={name}>
              {/* No <bdi>: the sentence begins with a name, which would give it that name's direction. */}
              {fill(m.expoOpen, { name: name || m.kitchen, n: number(lines) })}
            </li>
          ))}
        </ul>
        <div className="ask-buttons">
          <button type="button" className="side" ref={no} onClick={() => model.answer(false)}>
            {m.askNo}
          </button>
          <button type="button" className="main attention" onClick={() => model.answer(true)}>
            {m.askYes}
          </button>
        </div>
      </div>
    </div>
  )
}
