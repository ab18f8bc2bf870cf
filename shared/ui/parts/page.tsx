// A page. Its heading gets the focus on navigation, so that screen readers and the keyboard start there.
import { Group, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { isolated } from '#shared/ui/isolation.ts'

export function Page({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${isolated(title)} - Ticketrail`
  }, [title])
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <Group justify="space-between" className="page-head">
        <Title order={1} ref={heading} tabIndex={-1}>
          <bdi>{isolated(title)}</bdi>
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </>
  )
}

/** For a button that disappears after its action: moves the focus to the page's heading. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('h1')?.focus()
}

/** A part of a page with its own heading. */
export function Part({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="part">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </section>
  )
}
