// The page for an unknown URL.
import type { ReactNode } from 'react'
import { useSpeech } from '#shared/ui/speech.tsx'
import { Page } from './page.tsx'

/** @param children a link back to the first page */
export function NothingHere({ children }: { children: ReactNode }) {
  const { t } = useSpeech()
  return <Page title={t.common.notFound}>{children}</Page>
}
