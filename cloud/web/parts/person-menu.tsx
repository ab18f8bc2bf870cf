// The signed-in person's menu: language, colours, sign-out.
import { Anchor, Button, NativeSelect, useMantineColorScheme } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { CloudIcon } from '#cloud/web/icons.tsx'
import { useSession } from '#cloud/web/session.ts'
import { signOut } from '#cloud/web/sign-in/door.ts'
import { useSpeech } from '#cloud/web/speech.tsx'
import { isLanguage } from '#shared/languages.ts'

const SCHEMES = ['auto', 'light', 'dark'] as const

export function PersonMenu() {
  const { t, language, languages, setLanguage } = useSpeech()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { person } = useSession()
  const leave = async () => {
    await signOut()
    location.assign('/dashboard/')
  }
  return (
    <DropMenu label={t.person.menu(person?.name ?? '')} face={<CloudIcon name="me" />}>
      <p>
        <strong>
          <bdi>{person?.name}</bdi>
        </strong>
        <br />
        <bdi className="soft">{person?.email}</bdi>
      </p>
      <Anchor component={Link} to="/me">
        {t.nav.pages.me}
      </Anchor>
      <NativeSelect
        label={t.settings.language}
        value={language}
        onChange={({ currentTarget }) => isLanguage(currentTarget.value) && setLanguage(currentTarget.value)}
        data={languages.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <NativeSelect
        label={t.settings.colours}
        value={colorScheme}
        onChange={({ currentTarget }) => setColorScheme(currentTarget.value as (typeof SCHEMES)[number])}
        data={SCHEMES.map((value) => ({ value, label: t.settings.schemes[value] }))}
      />
      <Button variant="default" onClick={() => void leave()}>
        {t.person.signOut}
      </Button>
    </DropMenu>
  )
}

interface DropMenuProps {
  /** The label of the button for screen readers. */
  label: string
  /** What is seen of it. */
  face: ReactNode
  children: ReactNode
}

/** A button that opens a small panel below it. Escape, a press elsewhere and another page close it. */
function DropMenu({ label, face, children }: DropMenuProps) {
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
