// The box: its name, its clock, to whom it belongs; one's own password.

import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { BoxSettingsForm } from '#gateway/web/admin/parts/box-settings-form.tsx'
import { OwnPasswordForm } from '#gateway/web/admin/parts/own-password-form.tsx'
import { PairingForm } from '#gateway/web/admin/parts/pairing-form.tsx'
import { useIsTechnician, useSession } from '#gateway/web/admin/session.ts'
import { Page, Part } from '#shared/ui/parts/page.tsx'

export function Settings() {
  const { t } = useSpeech()
  const isTechnician = useIsTechnician()
  const session = useSession()
  const certificate = useLive().topics.status['box']?.https.certificate
  return (
    <Page title={t.nav.settings}>
      {isTechnician && (
        <Part title={t.settings.box}>
          <BoxSettingsForm />
        </Part>
      )}
      {isTechnician && (
        <Part title={t.pairing.title}>
          <PairingForm />
        </Part>
      )}
      <Part title={t.settings.password}>
        <OwnPasswordForm />
      </Part>
      <Part title={t.settings.about}>
        <dl className="facts">
          <dt>{t.settings.version}</dt>
          <dd>{session?.box.app}</dd>
          <dt>{t.settings.gatewayId}</dt>
          <dd>{session?.box.gatewayId || t.common.none}</dd>
          <dt>{t.settings.address}</dt>
          <dd>{location.origin}</dd>
          {certificate && (
            <>
              <dt>{t.settings.certificate}</dt>
              <dd>
                <code>{certificate.fingerprint}</code>
              </dd>
            </>
          )}
        </dl>
      </Part>
    </Page>
  )
}
