// The confirmation before Ready of an order with open stations, with what is open at each. Modal, for fingers and for the keys of a bump bar.
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { BOARD_TIMES } from './board-model.ts'
import { pageMs } from './browser.ts'
import { giveFocusBack } from './given-focus.ts'
import type { KitchenModel, Snapshot } from './kitchen-model.ts'
import { fill, useWords } from './messages/words.tsx'
import './ask.css'

export function AskDialog({ model, asking }: { model: KitchenModel; asking: NonNullable<Snapshot['asking']> }) {
  const { m, number } = useWords()
  const no = useRef<HTMLButtonElement>(null)
  const yes = useRef<HTMLButtonElement>(null)
  useAnswerKeys({ no, yes, answer: (isYes) => model.answer(isYes) })
  const { orderId } = asking
  useLayoutEffect(() => {
    const before = document.activeElement
    yes.current?.focus()
    // After the dialog has left the page.
    return () => void Promise.resolve().then(() => giveFocusBack(before, orderId))
  }, [orderId])
  return (
    <div className="veil">
      <div className="ask" role="alertdialog" aria-modal="true" aria-labelledby="ask-title" aria-describedby="ask-open">
        <h2 id="ask-title">
          <bdi>{fill(m.askTitle, { number: asking.number })}</bdi>
        </h2>
        <ul id="ask-open">
          {asking.open.map(({ name, lines }) => (
            <li key={name}>
              {/* No <bdi>: the sentence begins with a name and would get the name's direction. */}
              {fill(m.expoOpen, { name: name || m.kitchen, n: number(lines) })}
            </li>
          ))}
        </ul>
        <div className="ask-buttons">
          <button
            type="button"
            className="side"
            ref={no}
            aria-keyshortcuts="Escape"
            onClick={() => model.answer(false)}
          >
            {m.askNo}
            <span aria-hidden="true" className="key">
              Esc
            </span>
          </button>
          <button type="button" className="main attention" ref={yes} onClick={() => model.answer(true)}>
            {m.askYes}
            <span aria-hidden="true" className="key bump-key">
              Enter
            </span>
          </button>
        </div>
      </div>
    </div>
  )
}

interface Answers {
  no: RefObject<HTMLButtonElement | null>
  yes: RefObject<HTMLButtonElement | null>
  answer: (isYes: boolean) => void
}

/**
 * Enter gives the focused answer, except directly after the dialog opened, when it may be the bounce of the press that opened it. Any other
 * key focuses the answer that changes nothing.
 */
function useAnswerKeys({ no, yes, answer }: Answers): void {
  const give = useRef(answer)
  useLayoutEffect(() => {
    give.current = answer
  })
  useLayoutEffect(() => {
    const askedAtMs = pageMs()
    const choose = (isYes: boolean): void => (isYes ? yes : no).current?.focus()
    const listen = (event: KeyboardEvent): void => {
      const { key, repeat, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey) return
      event.preventDefault()
      event.stopPropagation()
      const { activeElement } = document
      const isTooSoon = repeat || pageMs() - askedAtMs < BOARD_TIMES.sameSpotMs
      if (key === 'Escape') give.current(false)
      else if (key === 'Tab' || key.startsWith('Arrow')) choose(activeElement !== yes.current)
      else if (key !== 'Enter' && key !== ' ') choose(false)
      else if (activeElement !== yes.current && activeElement !== no.current) choose(false)
      else if (!isTooSoon) give.current(activeElement === yes.current)
    }
    document.addEventListener('keydown', listen, true)
    return () => document.removeEventListener('keydown', listen, true)
  }, [no, yes])
}
