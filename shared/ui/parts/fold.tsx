// A part of a page behind its name and one line of how it stands; drawn when it is opened.
import { type ReactNode, useState } from 'react'
import { Icon, type IconName } from '#shared/ui/icon.tsx'

interface FoldHeadProps {
  icon: IconName
  title: string
  /** One line: how it stands. */
  state: ReactNode
}

/** What of a fold is always seen; also for a link that looks like one. */
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

/** @param id an address that ends with `#` and this id opens it */
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
