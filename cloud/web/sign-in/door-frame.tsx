// The frame of each sign-in page: the logo, one thing to do, the languages.
import { type ReactNode, useEffect } from 'react'
import { Logo } from '#shared/ui/logo.tsx'
import { LanguageChoice } from '#shared/ui/parts/language-choice.tsx'

/** One thing to do, in the middle of the page. */
export function DoorFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} - Ticketrail`
  }, [title])
  return (
    <div className="door">
      <main id="main" className="door-card">
        <div className="door-mark">
          <Logo size={40} />
          <strong>Ticketrail</strong>
        </div>
        <h1>{title}</h1>
        {children}
      </main>
      <footer>
        <LanguageChoice />
      </footer>
    </div>
  )
}
