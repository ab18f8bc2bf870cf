// A collapsible part of a page, with a title and one line of state. Its content is rendered when it is opened.
import { type ReactNode, useState } from 'react'
import { Icon, type IconName } from '#shared/ui/icon.tsx'

interface FoldHeadProps {
  icon: IconName
  title: string
  /** One line of state. */
  state: ReactNode
}

/** The visible head of a fold. Also used for a link with the same look. */
export function FoldHead({ icon, title, state }: FoldHeadProps) {
  return (
    <>
      <Icon name={icon} size={24} />
      <h2>{title}</h2>
      <span className="state soft">{state}</span>
      <span className="turn">
        <Icon name="forward" />
      </span>
    </>
  )
}

/** @param id a URL that ends with `#` and this id opens it */
export function Fold({ id, children, ...head }: FoldHeadProps & { id: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(() => location.hash === `#${id}`)
  return (
    <details className="fold" id={id} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <FoldHead {...head} />
      </summary>
      {isOpen && <div className="inside">{children}</div>}
    </details>
  )
}
