// The frame around every page: where one is, where one can go, whether what stands here is live.
import { ActionIcon } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'

interface FrameProps {
  /** Of the thing that the page is about. */
  name: string
  words: { skip: string; menu: string }
  /** The address of the page within: another one closes the menu of a phone. */
  path: string
  /** At the end of the head. */
  status: ReactNode
  menu: ReactNode
  children: ReactNode
}

export function Frame({ name, words, path, status, menu, children }: FrameProps) {
  const [isOpen, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu of a phone
  useEffect(() => setOpen(false), [path])
  return (
    <div className="shell">
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
          <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
            <path d="M2 5h16M2 10h16M2 15h16" stroke="currentColor" strokeWidth="2" />
          </svg>
        </ActionIcon>
        <strong className="box-name">{name}</strong>
        {status}
      </header>
      <nav id="nav" className={isOpen ? 'side open' : 'side'} aria-label={words.menu}>
        {menu}
      </nav>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
