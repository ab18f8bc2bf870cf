// The words of mail: every kind in every language, and nothing from outside that becomes markup, a header or a second line.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALERT_KINDS, type AlertFact } from '#cloud/notices/alert-kinds.ts'
import type { Notice, NoticeValues } from '#cloud/notices/notice-kinds.ts'
import { LANGUAGE_IDS } from '#shared/languages.ts'
import { assertProperty } from '#test/harness/property.ts'
import { noticeText } from './notice-text.ts'

const WRITTEN = ['en', 'es', 'zh-Hans']
const AT_MS = Date.UTC(2026, 10, 29, 18, 5)

/** Every value of an alert, whatever its kind. @param name of whatever has one */
function alertOf(kind: AlertFact['kind'], name: string): AlertFact {
  const counts = { waiting: 3, tickets: 2, seconds: -45, percent: 80, month: '2026-11', what: 'mail' }
  return { kind, values: { place: name, printer: name, site: name, ...counts } } as AlertFact
}

/** One of each kind, and an alert of each kind. */
function notices(name: string): Notice[] {
  const link = 'https://relay.example/dashboard'
  const values: Omit<NoticeValues, 'alert-began' | 'alert-ended'> = {
    code: { purpose: 'reset', code: 'K7PQ9XWD', minutes: 15 },
    'already-known': { link },
    invitation: { link, accountName: name, role: 'manager', invitedBy: name, expiresAtMs: AT_MS },
    'new-device': { atMs: AT_MS, address: '192.0.2.7', agent: name, method: 'passkey', link },
    'sign-in-changed': { deed: 'passkey-added', name, atMs: AT_MS, link },
    key: { deed: 'rotated', environment: 'live', endsWith: 'x7y8', name, accountName: name, by: name, atMs: AT_MS },
    'access-asked': {
      ...{ merchantId: 'M-PROD-BISTRO', merchantName: name, partnerId: 'acc_1', partnerName: name },
      ...{ scopes: ['orders:read', 'menu:read'], atMs: AT_MS },
    },
    'access-answered': {
      ...{ deed: 'approved', merchantId: 'M-PROD-BISTRO', accountName: name, scopes: ['orders:read'], atMs: AT_MS },
    },
    'request-answered': { answer: 'live', plan: 'growth', accountName: name, atMs: AT_MS },
    invoice: { accountName: name, month: '2026-11', totalCents: 123_450, link },
    'order-ready': { restaurant: name, number: name, readyAtMs: AT_MS },
    test: { by: name },
  }
  const plain = Object.entries(values).map(([kind, of]) => ({ kind, values: of }) as Notice)
  const alerts = ALERT_KINDS.flatMap((kind): Notice[] => {
    const about = { alert: alertOf(kind, name), sinceMs: AT_MS, link }
    return [
      { kind: 'alert-began', values: about },
      { kind: 'alert-ended', values: { ...about, endedMs: AT_MS + 60_000 } },
    ]
  })
  return [...plain, ...alerts]
}

describe('mail', () => {
  it.each(notices('Bistro'))('of kind $kind has a subject and words in each language, all different', (notice) => {
    const texts = WRITTEN.map((language) => noticeText(notice, language))
    for (const { subject, text, html } of texts) {
      expect(subject).not.toBe('')
      expect(text).not.toMatch(/undefined|null|NaN|\[object/)
      expect(html).not.toMatch(/undefined|null|NaN|\[object/)
    }
    expect(new Set(texts.map(({ text }) => text)).size).toBe(WRITTEN.length)
  })

  it('is in English for readers of an unsupported language, and is declared so to the mail program', () => {
    const [notice] = notices('Bistro')
    for (const language of [...LANGUAGE_IDS.filter((id) => !WRITTEN.includes(id)), 'constructor'])
      expect(noticeText(notice!, language)).toEqual(noticeText(notice!, 'en'))
    expect(noticeText(notice!, 'es').html).toContain('<html lang="es" dir="ltr">')
  })

  it('has neither images nor anything else that is fetched', () => {
    for (const notice of notices('Bistro'))
      expect(noticeText(notice, 'en').html).not.toMatch(/<img|src=|url\(|<script|<link/i)
  })

  it('shows a code in one piece, and never in the subject', () => {
    const { subject, text } = noticeText(notices('Bistro')[0]!, 'en')
    expect(text).toContain('\n    K7PQ9XWD\n')
    expect(subject).not.toContain('K7PQ9XWD')
  })

  it('has times in UTC and money in dollars', () => {
    const text = notices('Bistro')
      .map((notice) => noticeText(notice, 'en').text)
      .join('\n')
    expect(text).toContain('2026-11-29 18:05 UTC')
    expect(text).toContain('Total: $1234.50')
  })

  it.each(WRITTEN)(
    'says in %s each answer on access in words of its own, with what the partner may do now',
    (language) => {
      const told = (values: Pick<NoticeValues['access-answered'], 'deed' | 'scopes'>) =>
        noticeText(
          {
            kind: 'access-answered',
            values: { merchantId: 'M-PROD-BISTRO', accountName: 'Kiosk', atMs: AT_MS, ...values },
          },
          language,
        )
      const deeds = ['approved', 'narrowed', 'declined', 'removed'] as const
      const texts = deeds.map((deed) => told({ deed, scopes: ['orders:read', 'menu:read'] }))
      expect(new Set(texts.map(({ subject }) => subject)).size).toBe(deeds.length)
      expect(texts.map(({ text }) => text.includes('orders:read, menu:read'))).toEqual([true, true, false, false])
      expect(told({ deed: 'approved', scopes: null }).text).not.toMatch(/null|undefined/)
    },
  )

  it('takes no markup, no header and no line from a name, whatever it is', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.constantFrom('<b>&"\'', 'a\r\nBcc: x@y.test', 'a\u2028b', '\u202Eevil', '</p><a href="https://evil.test">'),
    )
    assertProperty(
      fc.property(name, fc.constantFrom(...WRITTEN), (value, language) =>
        notices(value).every((notice) => {
          const { subject, text, html } = noticeText(notice, language)
          const same = noticeText(notices('Bistro').find((it) => isLike(it, notice))!, language)
          return (
            !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u.test(subject) &&
            [...subject].length <= 150 &&
            text.split('\n').length === same.text.split('\n').length &&
            tags(html) === tags(same.html)
          )
        }),
      ),
    )
  })
})

/** Of the same kind, also of the alert in it. */
function isLike(a: Notice, b: Notice): boolean {
  const alertIn = (notice: Notice) => ('alert' in notice.values ? notice.values.alert.kind : '')
  return a.kind === b.kind && alertIn(a) === alertIn(b)
}

const tags = (html: string): string => (html.match(/<[^>]*>/g) ?? []).join('')
