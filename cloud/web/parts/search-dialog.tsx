// What is typed leads to a page, an account, or the page of an id. Arrows choose, Enter goes.
import { Modal, TextInput } from '@mantine/core'
import { type KeyboardEvent, useId, useState } from 'react'
import { useSpeech } from '#cloud/web/speech.tsx'
import { type Found, useFound } from './use-found.ts'

const SHOWN = 8

export function SearchDialog({ close }: { close: () => void }) {
  const { t } = useSpeech()
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = useFound(text).slice(0, SHOWN)
  const chosen = found[Math.min(at, found.length - 1)]
  const go = (one: Found | undefined) => {
    if (!one) return
    close()
    one.go()
  }
  const keys = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Enter') go(chosen)
    if (step === 0 || chosen === undefined) return
    event.preventDefault()
    setAt((found.indexOf(chosen) + step + found.length) % found.length)
  }
  return (
    <Modal opened onClose={close} title={t.search.title} size="lg">
      <TextInput
        data-autofocus
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={chosen && `${id}-${chosen.key}`}
        label={t.search.label}
        description={t.search.hint}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={keys}
      />
      <div id={id} className="search-found" role="listbox" aria-label={t.search.title}>
        {found.map((one) => (
          // The keyboard goes through the field, as a combobox does.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          <div
            key={one.key}
            id={`${id}-${one.key}`}
            role="option"
            tabIndex={-1}
            aria-selected={one === chosen}
            onClick={() => go(one)}
          >
            <bdi>{one.name}</bdi>
            <span className="soft">{one.kind}</span>
          </div>
        ))}
      </div>
      <p role="status" className="soft">
        {found.length === 0 && t.search.none}
      </p>
    </Modal>
  )
}
