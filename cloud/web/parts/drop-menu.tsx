// A button that opens a small panel below it. Escape, a press elsewhere and another page close it.
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'

interface DropMenuProps {
  /** The label of the button for screen readers. */
  label: string
  /** What is seen of it. */
  face: ReactNode
  children: ReactNode
}

export function DropMenu({ label, face, children }: DropMenuProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes it
  useEffect(() => setOpen(false), [pathname])
  useEffect(() => {
    if (!isOpen) return
    const elsewhere = ({ target }: Event) => {
      if (!whole.current?.contains(target as Node)) setOpen(false)
    }
    const close = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    document.addEventListener('pointerdown', elsewhere)
    document.addEventListener('focusin', elsewhere)
    document.addEventListener('keydown', close)
    return () => {
      document.removeEventListener('pointerdown', elsewhere)
      document.removeEventListener('focusin', elsewhere)
      document.removeEventListener('keydown', close)
    }
  }, [isOpen])
  return (
    <div ref={whole} className="drop">
      <button
        ref={button}
        type="button"
        className="bar-button"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {face}
      </button>
      {isOpen && (
        <div id={id} className="drop-panel">
          {children}
        </div>
      )}
    </div>
  )
}
