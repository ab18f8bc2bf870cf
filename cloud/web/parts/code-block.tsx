// Text that one takes away: code, JSON, a secret. With a button that copies it, also on plain http.
import { Button } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { useSpeech } from '#cloud/web/speech.tsx'
import { copyFrom } from '#shared/ui/page-browser.ts'
import { useNotice } from '#shared/ui/parts/notices.tsx'

interface CodeBlockProps {
  /** What it is, for a screen reader and above it. */
  label: string
  text: string
  /** What is copied, where that is not what is shown: a body to the byte. */
  exact?: string
  /** True: a heading above has the label already. */
  hasHeading?: boolean
  /** The label of the button; default: Copy. */
  copy?: string
  /** More buttons beside it. */
  children?: ReactNode
}

export function CodeBlock({ label, text, exact = text, hasHeading = false, copy, children }: CodeBlockProps) {
  const { t } = useSpeech()
  const say = useNotice()
  const field = useRef<HTMLTextAreaElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const take = () => {
    say(field.current && copyFrom(field.current) ? t.common.copied : t.common.copyFailed)
    button.current?.focus()
  }
  return (
    <div className="code-frame">
      <div className="code-head">
        {!hasHeading && <strong>{label}</strong>}
        <Button size="compact-sm" variant="default" ref={button} onClick={take}>
          {copy ?? t.common.copy}
        </Button>
        {children}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className="code-block" tabIndex={0} aria-label={label}>
        <pre translate="no">{text}</pre>
      </section>
      <textarea ref={field} className="hidden" readOnly tabIndex={-1} aria-hidden="true" value={exact} />
    </div>
  )
}
