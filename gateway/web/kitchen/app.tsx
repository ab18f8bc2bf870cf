// Selects what the kitchen page shows: sign-in, start of the shift, or the board of its kind of display.
import { lazy, Suspense, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { browserLanguage, fillScreen, setLanguage } from './browser.ts'
import { Boundary, BrokenPage } from './fault.tsx'
import type { KitchenModel, Snapshot } from './kitchen-model.ts'
import { en, type Messages } from './messages/en.ts'
import { messagesOf, useWords, WordsContext, wordsOf } from './messages/words.tsx'

/** Loaded after sign-in, so that the first view appears sooner. */
const Board = lazy(async () => ({ default: (await import('./board.tsx')).Board }))
/** A display normally signs in only once. */
const SignIn = lazy(async () => ({ default: (await import('./sign-in.tsx')).SignIn }))
/** Other kinds of display, loaded only by those. */
const Runner = lazy(async () => ({ default: (await import('./runner.tsx')).Runner }))
const PickUpBoard = lazy(async () => ({ default: (await import('./pick-up-board.tsx')).PickUpBoard }))

export function App({ model }: { model: KitchenModel }) {
  const snapshot = useSyncExternalStore(model.subscribe, model.snapshot)
  const language = snapshot.hello?.display.language ?? browserLanguage()
  const timeZone = snapshot.hello?.timeZone ?? 'UTC'
  const [messages, setMessages] = useState(en)
  const words = useMemo(() => wordsOf(messages, language, timeZone), [messages, language, timeZone])
  useEffect(() => {
    setLanguage(language)
    let isWanted = true
    const put = (loaded: Messages): void => {
      if (isWanted) setMessages(loaded)
    }
    // On failure the current language stays.
    void messagesOf(language).then(put, () => undefined)
    return () => {
      isWanted = false
    }
  }, [language])
  return (
    <WordsContext value={words}>
      <Boundary of={model} instead={<BrokenPage model={model} />}>
        <Suspense fallback={<Connecting />}>
          {snapshot.phase === 'signed-out' && <SignIn model={model} />}
          {snapshot.phase === 'connecting' && <Connecting />}
          {snapshot.phase === 'board' && <Face model={model} snapshot={snapshot} />}
        </Suspense>
      </Boundary>
    </WordsContext>
  )
}

function Face({ model, snapshot }: { model: KitchenModel; snapshot: Snapshot }) {
  const kind = snapshot.hello?.display.kind
  if (kind === 'pick-up') return <PickUpBoard model={model} snapshot={snapshot} />
  const start = !snapshot.isOnShift && <StartShift model={model} />
  if (kind === 'runner')
    return (
      <Runner model={model} snapshot={snapshot}>
        {start}
      </Runner>
    )
  return (
    <Board model={model} snapshot={snapshot}>
      {start}
    </Board>
  )
}

function Connecting() {
  const { m } = useWords()
  return (
    <main className="center">
      <h1>{m.connecting}</h1>
    </main>
  )
}

/** Shown with the board, which has orders already. One tap enables what browsers allow only after a tap, such as sound. */
function StartShift({ model }: { model: KitchenModel }) {
  const { m } = useWords()
  const start = (): void => {
    model.startShift()
    void fillScreen()
  }
  return (
    <aside className="shift" aria-label={m.startShift}>
      <span>{m.startShiftWhy}</span>
      <button type="button" className="main" onClick={start}>
        {m.startShift}
      </button>
    </aside>
  )
}
