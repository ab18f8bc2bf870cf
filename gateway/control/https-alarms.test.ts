// What somebody must see to so that the page speaks https with the right certificate.
import { describe, expect, it } from 'vitest'
import { toIso } from '#shared/clock.ts'
import { httpsAlarms } from './https-alarms.ts'
import { type HttpsAnswer, NO_HTTPS } from './https-answer.ts'

const DAY_MS = 86_400_000
const NOW = 1_795_000_000_000
const answer = (source: 'provided' | 'self-signed', days: number): HttpsAnswer => ({
  ...{ ...NO_HTTPS, state: 'on', port: 443 },
  certificate: { source, fingerprint: 'AB', from: toIso(NOW), until: toIso(NOW + days * DAY_MS) },
})
const idsOf = (https: HttpsAnswer) => httpsAlarms(https, NOW).map(({ id }) => id)

describe('alarms of https', () => {
  it('are none while all is well, or while it is off', () => {
    expect([idsOf(answer('self-signed', 800)), idsOf(answer('provided', 20)), idsOf(NO_HTTPS)]).toEqual([[], [], []])
  })

  it('tell that a certificate of the owner ends soon; one of the box’s own making renews itself', () => {
    expect([13, 1, -100].map((days) => idsOf(answer('provided', days)))).toEqual(
      Array(3).fill(['page-certificate-ends']),
    )
    expect(idsOf(answer('self-signed', 13))).toEqual([])
  })

  it('tell why it does not answer, and why the owner’s certificate is not taken', () => {
    const [closed] = httpsAlarms({ ...NO_HTTPS, state: 'failed', fault: 'port 443 is taken' }, NOW)
    expect(closed).toMatchObject({
      id: 'page-https',
      severity: 'error',
      text: expect.stringContaining('port 443 is taken'),
    })
    const [unusable] = httpsAlarms({ ...answer('self-signed', 800), certificateFault: 'k.key has a passphrase' }, NOW)
    expect(unusable).toMatchObject({
      id: 'page-certificate',
      severity: 'warning',
      values: { fault: 'k.key has a passphrase' },
    })
  })
})
