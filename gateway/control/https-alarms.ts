// What somebody must see to so that the page speaks https with the right certificate. Pure.
import { type EpochMs, fromIso } from '#shared/clock.ts'
import type { HttpsAnswer } from './https-answer.ts'
import type { BoxAlarm } from './repairs.ts'

const SOON_MS = 14 * 86_400_000

export function httpsAlarms({ fault, certificate, certificateFault }: HttpsAnswer, nowMs: EpochMs): BoxAlarm[] {
  const closed: BoxAlarm = {
    id: 'page-https',
    severity: 'error',
    title: 'The page does not answer https',
    text: `Nobody can sign in from another machine: ${fault}. Printing and kitchen displays go on.`,
    values: { fault: fault ?? '' },
  }
  const unusable: BoxAlarm = {
    id: 'page-certificate',
    severity: 'warning',
    title: 'The certificate that was put in cannot be used',
    text: `Another certificate is used until this is fixed. Reason: ${certificateFault}`,
    values: { fault: certificateFault ?? '' },
  }
  return [
    ...(fault === null ? [] : [closed]),
    ...(certificateFault === null ? [] : [unusable]),
    // One of the box's own making is renewed before.
    ...(certificate?.source === 'provided' ? endingAlarms(certificate.until, nowMs) : []),
  ]
}

function endingAlarms(until: string, nowMs: EpochMs): BoxAlarm[] {
  if ((fromIso(until) ?? 0) - nowMs > SOON_MS) return []
  const text = `It holds until ${until}. Put a new one into the same files: it is taken up within a minute.`
  const title = 'The certificate that was put in ends soon, or has ended'
  return [{ id: 'page-certificate-ends', severity: 'warning', title, text, values: { until } }]
}
