// The workbench from every page: by its button or the key `.`. Its code comes when it is first opened, and it asks nothing before.
import { Portal } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { CloudIcon } from '#cloud/web/icons.tsx'
import { useMayRead, usePlace } from '#cloud/web/place.tsx'
import { useSpeech } from '#cloud/web/speech.tsx'
import { opensByKey } from './by-key.ts'

const Workbench = lazy(async () => ({ default: (await import('./workbench.tsx')).Workbench }))

export function WorkbenchButton() {
  const { t } = useSpeech()
  const { pathname } = useLocation()
  const { account } = usePlace()
  const mayLook = useMayRead()('build') && account !== null
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  /** What had the focus when it was opened. */
  const before = useRef<Element | null>(null)
  const open = useCallback(() => {
    before.current = document.activeElement
    setOpen(true)
  }, [])
  const close = useCallback(() => {
    setOpen(false)
    const back = before.current
    if (back instanceof HTMLElement && back.isConnected && back !== document.body) back.focus()
    else button.current?.focus()
  }, [])
  useEffect(() => {
    if (!mayLook) return
    const listen = (event: KeyboardEvent) => {
      const isKey = event.key === '.' && opensByKey(event)
      const isEnd = event.key === 'Escape' && isOpen && !event.defaultPrevented && nothingElseIsOpen()
      if (!isKey && !isEnd) return
      event.preventDefault()
      if (isOpen) close()
      else open()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [mayLook, isOpen, open, close])
  if (!mayLook) return null
  return (
    <>
      <button
        ref={button}
        type="button"
        className="bar-button workbench-open"
        aria-label={t.workbench}
        title={`${t.workbench} ( . )`}
        aria-expanded={isOpen}
        onClick={isOpen ? close : open}
      >
        <CloudIcon name="workbench" />
      </button>
      {isOpen && (
        <Portal>
          <Suspense fallback={null}>
            <Workbench pathname={pathname} close={close} />
          </Suspense>
        </Portal>
      )}
    </>
  )
}

/** Escape belongs to a dialog first, and to a menu that is open. */
function nothingElseIsOpen(): boolean {
  return document.querySelector('[role="dialog"], .drop-panel') === null
}
