// A button whose action waits a moment so that it can be undone: afterwards it cannot be taken back.
import { Button, type ButtonProps } from '@mantine/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Cancel, systemClock } from '#shared/clock.ts'
import { useNotice } from '#shared/ui/parts/notices.tsx'

/** As long as a person needs to see that it was the wrong one. */
const HELD_MS = 5_000

interface HeldButtonProps extends ButtonProps {
  label: string
  undo: string
  /** The texts after it is pressed and after it is undone. */
  waiting: string
  undone: string
  act: () => void
}

export function HeldButton({ label, undo, waiting, undone, act, ...button }: HeldButtonProps) {
  const say = useNotice()
  const [isHeld, setHeld] = useState(false)
  const pending = useRef<{ cancel: Cancel } | null>(null)
  const newest = useRef(act)
  newest.current = act
  const done = useCallback(() => {
    if (pending.current === null) return
    pending.current.cancel()
    pending.current = null
    newest.current()
  }, [])
  // Leaving the page confirms the action.
  useEffect(() => done, [done])
  const press = () => {
    if (pending.current !== null) {
      pending.current.cancel()
      pending.current = null
      setHeld(false)
      say(undone)
      return
    }
    pending.current = {
      cancel: systemClock.after(HELD_MS, () => {
        setHeld(false)
        done()
      }),
    }
    setHeld(true)
    say(waiting)
  }
  return (
    <Button variant={isHeld ? 'filled' : 'default'} className={isHeld ? 'held' : ''} {...button} onClick={press}>
      {isHeld ? undo : label}
    </Button>
  )
}
