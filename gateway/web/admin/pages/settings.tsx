// Settings by task, each behind a one-line summary: name of the box, pairing, https, version; people, passwords, files.
import { Link } from '@tanstack/react-router'
import type { HttpsAnswer } from '#gateway/control/https-answer.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import { BoxSettingsForm } from '#gateway/web/admin/parts/box-settings-form.tsx'
import { LateForm, otherLateMinutes } from '#gateway/web/admin/parts/late-form.tsx'
import { OwnPasswordForm } from '#gateway/web/admin/parts/own-password-form.tsx'
import { PairingForm } from '#gateway/web/admin/parts/pairing-form.tsx'
import { linkStanding } from '#gateway/web/admin/parts/words.ts'
import { useIsTechnician, useSession } from '#gateway/web/admin/session.ts'
import { thresholdsOf } from '#shared/kitchen-times.ts'
import { languageFacts } from '#shared/languages.ts'
import { listed } from '#shared/ui/isolation.ts'
import { Fold, FoldHead } from '#shared/ui/parts/fold.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Page } from '#shared/ui/parts/page.tsx'

export function Settings() {
  const { t } = useSpeech()
  const isTechnician = useIsTechnician()
  return (
    <Page title={t.nav.settings}>
      <div className="columns even">
        <div className="folds">
          {isTechnician && <NameFold />}
          {isTechnician && <LateFold />}
          {isTechnician && <PairingFold />}
          <HttpsFold />
          <VersionFold />
        </div>
        <div className="folds">
          {isTechnician && <PeopleFold />}
          <PasswordFold />
          {isTechnician && <OtherPages />}
        </div>
      </div>
    </Page>
  )
}

function NameFold() {
  const { t, formats } = useSpeech()
  const settings = useRead('settings.get', {}).data
  const { name = '', timeZone = '', language = '' } = settings ?? {}
  const state = [formats.text(name), timeZone, language && languageFacts(language).name].filter(Boolean)
  return (
    <Fold id="name" icon="clock" title={t.folds.name} state={state.join(' · ')}>
      <BoxSettingsForm />
    </Fold>
  )
}

function LateFold() {
  const { t } = useSpeech()
  const settings = useRead('settings.get', {}).data
  const thresholds = thresholdsOf(settings?.thresholds ?? {})
  const state =
    settings && t.late.state(thresholds.usual.lateMin, listed(otherLateMinutes(thresholds, t), t.common.comma))
  return (
    <Fold id="late" icon="orders" title={t.late.title} state={state}>
      <LateForm />
    </Fold>
  )
}

function PairingFold() {
  const { t } = useSpeech()
  const box = useLive().topics.status['box']
  if (!box) return null
  const { tone, words } = linkStanding(box.link, t)
  const state = (
    <>
      {box.merchantName && (
        <>
          <bdi>{box.merchantName}</bdi>{' '}
        </>
      )}
      <Mark tone={tone}>{words}</Mark>
    </>
  )
  return (
    <Fold id="pairing" icon="link" title={t.folds.pairing} state={state}>
      <PairingForm />
    </Fold>
  )
}

function HttpsFold() {
  const { t, formats } = useSpeech()
  const https = useLive().topics.status['box']?.https
  if (!https) return null
  const until = https.certificate ? [t.folds.until(formats.date(https.certificate.until))] : []
  const state = [t.folds.httpsStates[https.state], ...until].join(' · ')
  return (
    <Fold id="https" icon="lock" title={t.folds.https} state={state}>
      <HttpsFacts https={https} />
    </Fold>
  )
}

function VersionFold() {
  const { t } = useSpeech()
  const box = useSession()?.box
  return (
    <Fold id="version" icon="box" title={t.folds.version} state={t.folds.versionNow(box?.app.split('/').at(-1) ?? '')}>
      <p>{t.folds.updates}</p>
      <dl className="facts">
        <dt>{t.settings.version}</dt>
        <dd>{box?.app}</dd>
        <dt>{t.settings.gatewayId}</dt>
        <dd>{box?.gatewayId || t.common.none}</dd>
      </dl>
    </Fold>
  )
}

function PeopleFold() {
  const { t } = useSpeech()
  const users = useRead('users.list', {}).data ?? []
  const state = t.folds.peopleNow(
    users.length,
    listed(
      users.map(({ name }) => name),
      t.common.comma,
    ),
  )
  return (
    <Link to="/users" className="fold">
      <FoldHead icon="users" title={t.folds.people} state={<bdi>{users.length > 0 && state}</bdi>} />
    </Link>
  )
}

function PasswordFold() {
  const { t } = useSpeech()
  const user = useSession()?.user
  const state = <bdi>{user && t.folds.signedIn(user.name)}</bdi>
  return (
    <Fold id="password" icon="key" title={t.folds.password} state={state}>
      <OwnPasswordForm />
    </Fold>
  )
}

function OtherPages() {
  const { t } = useSpeech()
  return (
    <>
      <Link to="/care" className="fold">
        <FoldHead icon="care" title={t.nav.care} state={t.folds.care} />
      </Link>
      <Link to="/logs" className="fold">
        <FoldHead icon="logs" title={t.nav.logs} state={t.folds.logs} />
      </Link>
    </>
  )
}

/** How the page is served by https, and with which certificate. */
function HttpsFacts({ https: { state, port, certificate, fault, certificateFault } }: { https: HttpsAnswer }) {
  const { t, formats } = useSpeech()
  return (
    <>
      {[fault, certificateFault].filter(Boolean).map((words) => (
        <p key={words} className="warn" lang="en">
          <bdi>{words}</bdi>
        </p>
      ))}
      <dl className="facts">
        <dt>{t.settings.address}</dt>
        <dd>{location.origin}</dd>
        {state === 'on' && (
          <>
            <dt>{t.folds.port}</dt>
            <dd>{port}</dd>
          </>
        )}
        {certificate && (
          <>
            <dt>{t.folds.source}</dt>
            <dd>{t.folds.sources[certificate.source]}</dd>
            <dt>{t.folds.validUntil}</dt>
            <dd>{formats.dateTime(certificate.until)}</dd>
            <dt>{t.settings.certificate}</dt>
            <dd>
              <code>{certificate.fingerprint}</code>
            </dd>
          </>
        )}
      </dl>
    </>
  )
}
