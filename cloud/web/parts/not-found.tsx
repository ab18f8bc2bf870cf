// An address that leads nowhere, and the way back.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSpeech } from '#cloud/web/speech.tsx'
import { NothingHere } from '#shared/ui/parts/not-found.tsx'

export function NotFound() {
  const { t } = useSpeech()
  return (
    <NothingHere>
      <Anchor component={Link} to="/">
        {t.nav.pages.home}
      </Anchor>
    </NothingHere>
  )
}
