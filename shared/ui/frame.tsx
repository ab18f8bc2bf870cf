// The frame around every page: the current place, the menu, and whether the page is live.
import { ActionIcon } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { Icon } from './icon.tsx'
import { Logo } from './logo.tsx'

interface FrameProps {
  /** Name of the object that the page is about. */
  name: ReactNode
  /** CSS classes, for a different look. */
  look?: string
  words: { skip: string; menu: string }
  /** The path of the current page: when it changes, the menu on a phone closes. */
  path: string
  /** Shown at the end of the head. */
  status: ReactNode
  menu: ReactNode
  children: ReactNode
}

export function Frame({ name, look = '', words, path, status, menu, children }: FrameProps) {
  const [isOpen, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path closes the menu on a phone
  useEffect(() => setOpen(false), [path])
  return (
    <div className={`shell ${look}`}>
      <a className="skip" href="#main">
        {words.skip}
      </a>
      <header className="top">
        <ActionIcon
          className="burger"
          variant="default"
          size={44}
          aria-label={words.menu}
          aria-expanded={isOpen}
          aria-controls="nav"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="menu" />
        </ActionIcon>
        <Logo />
        <strong className="box-name">
          <bdi>{name}</bdi>
        </strong>
        {status}
      </header>
      <nav id="nav" className={isOpen ? 'side open' : 'side'} aria-label={words.menu}>
        <div>{menu}</div>
      </nav>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
