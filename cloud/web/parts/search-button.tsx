// Ctrl K from anywhere: a page, a restaurant, or whatever an id names. The dialog comes when it is first opened.
import { lazy, Suspense, useEffect, useState } from 'react'
import { CloudIcon } from '#cloud/web/icons.tsx'
import { useSpeech } from '#cloud/web/speech.tsx'

const SearchDialog = lazy(async () => ({ default: (await import('./search-dialog.tsx')).SearchDialog }))

export function SearchButton() {
  const { t } = useSpeech()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <button
        type="button"
        className="bar-button search-open"
        aria-label={`${t.search.open} Ctrl K`}
        onClick={() => setOpen(true)}
      >
        <CloudIcon name="search" />
        <span className="wide-only">{t.search.open}</span> <kbd className="wide-only">Ctrl K</kbd>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <SearchDialog close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
