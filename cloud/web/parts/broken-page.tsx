// Shown instead of a page that failed or whose code cannot be loaded: what happened, and a button to continue.
import { Button } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useSpeech } from '#cloud/web/speech.tsx'
import { Page } from '#shared/ui/parts/page.tsx'

export function BrokenPage({ error }: ErrorComponentProps) {
  const { t } = useSpeech()
  return (
    <Page title={t.states.broken}>
      <p>{t.states.brokenHint}</p>
      <pre className="code-block">{String(error)}</pre>
      <p>
        <Button onClick={() => location.reload()}>{t.states.reload}</Button>
      </p>
    </Page>
  )
}
