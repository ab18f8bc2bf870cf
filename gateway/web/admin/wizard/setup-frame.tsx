// The frame of the guide: nothing but the guide. The way out is one link.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'

/** @param status whether the data is live */
export function SetupFrame({ name, status, children }: { name: string; status: ReactNode; children: ReactNode }) {
  const { t } = useSpeech()
  return (
    <div className="setup">
      <a className="skip" href="#main">
        {t.nav.skip}
      </a>
      <header className="top">
        <strong className="box-name">
          <bdi>{name}</bdi>
        </strong>
        {status}
        <Anchor component={Link} to="/">
          {t.wizard.leave}
        </Anchor>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
