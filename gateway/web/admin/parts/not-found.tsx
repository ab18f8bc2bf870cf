// An address that leads nowhere.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { Page } from '#shared/ui/parts/page.tsx'

export function NotFound() {
  const { t } = useSpeech()
  return (
    <Page title={t.common.notFound}>
      <Anchor component={Link} to="/">
        {t.nav.overview}
      </Anchor>
    </Page>
  )
}
