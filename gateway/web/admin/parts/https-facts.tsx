// How the page is served by https, and with which certificate.
import type { HttpsAnswer } from '#gateway/control/https-answer.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'

export function HttpsFacts({ https: { state, port, certificate, fault, certificateFault } }: { https: HttpsAnswer }) {
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
