// The curl that people paste: a shell must make of it a body that the API takes.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { frameTicket, isAsciiLocale } from '#shared/cli/ticket-frame.ts'
import { injectOrder } from '#shared/wire/api/orders.ts'
import type { DemoAccount } from './account.ts'
import { announcement, orderCommand } from './announce.ts'

const account: DemoAccount = {
  apiKey: 'sk_sandbox_abc',
  merchantId: 'M-TEST-001',
  umsIds: ['UMS-BURGER-01', 'UMS-FRIES-01', 'UMS-STEAK-01'],
  gatewayId: 'gw_1',
  token: 'secret',
  topics: { up: 'u', down: 'd', all: 'a' },
}

/** Runs the command in `shell` with a curl that only shows its arguments. */
function argumentsIn(shell: string): string[] {
  const script = `curl() { for arg in "$@"; do printf '%s\\0' "$arg"; done; }\n${orderCommand('http://127.0.0.1:8080', account)}`
  return execFileSync(shell, ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

describe('the curl of the announcement', () => {
  it.each(['sh', 'bash'])('is a valid order in %s', (shell) => {
    const args = argumentsIn(shell)
    expect(args).toContain('http://127.0.0.1:8080/v1/order/inject')
    expect(args).toContain('Authorization: Bearer sk_sandbox_abc')
    const body = injectOrder.parse(JSON.parse(args.at(-1) ?? ''))
    expect(body.orderId).toMatch(/^demo-\d{10}-\d*$/)
    const cents = body.items.reduce((sum, { qty, price }) => sum + Math.round(price * 100) * qty, 0)
    expect(Math.round(body.total * 100)).toBe(cents)
  })
})

describe('the announcement', () => {
  const about = {
    ...{ cloudUrl: 'http://127.0.0.1:8080', gatewayUrl: 'http://127.0.0.1:8081', account },
    dashboardLink: null,
    ...{ printer: { host: '127.0.0.1', port: 9100 }, paperDir: null, dataDir: '/data', isFound: true },
  }

  it('gives a link that brings the code of the first user along', () => {
    const text = announcement({ ...about, controlSocket: null, setupCode: 'BCDF-GHJK' })
    expect(text).toContain('http://127.0.0.1:8081/#setup=BCDF-GHJK (set-up code BCDF-GHJK)')
  })

  it('gives a link that signs in to the dashboard, or else where the dashboard is', () => {
    const codes = { controlSocket: null, setupCode: null }
    const link = 'http://localhost:8080/dashboard#welcome=abc'
    expect(announcement({ ...about, ...codes, dashboardLink: link })).toContain(`${link} (signs in as the owner, once)`)
    expect(announcement({ ...about, ...codes })).toContain('  Dashboard      http://localhost:8080/dashboard\n')
  })

  it('explains how to get the code for the page of the gateway, where none was made', () => {
    const usual = announcement({ ...about, controlSocket: null, setupCode: null })
    expect(usual).toMatch(/ npm run -s gateway -- welcome .*set-up code/)
    const elsewhere = announcement({ ...about, controlSocket: "/my cook's/control.sock", setupCode: null })
    expect(elsewhere).toContain("GATEWAY_CONTROL_SOCKET='/my cook'\\''s/control.sock' npm run -s gateway -- welcome")
  })
})

describe('a framed ticket', () => {
  it('keeps the lines of the paper inside the frame', () => {
    const lines = frameTicket('#42  PICKUP\n  2  BURGER\n', 'ticket 1').split('\n')
    expect(lines[0]).toMatch(/^┌─ ticket 1 ─+┐$/)
    expect(lines[1]).toMatch(/^│ #42 {2}PICKUP +│$/)
    expect(lines).toHaveLength(4)
    expect(new Set(lines.map((line) => line.length)).size).toBe(1)
  })

  it('lets no control character of an order reach the terminal', () => {
    const framed = frameTicket('a\u001b[2Jb\u0007\u009bc\u202ed', 'ticket 1')
    expect(framed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })
})

it('draws with what the terminal has: ASCII for such a locale, and no frame where it is too narrow', () => {
  const plain = frameTicket('#42  PICKUP', 'ticket 1', { columns: 80, isAscii: true })
  expect(plain).toMatch(/^\+- ticket 1 -+\+\n\| #42 {2}PICKUP +\|\n\+\.+\+$/)
  expect(frameTicket('#42  PICKUP', 'ticket 1', { columns: 30, isAscii: false })).toBe('─ ticket 1\n#42  PICKUP\n─')
  expect(
    [{ LANG: 'C' }, { LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' }, { LANG: 'de_DE.ISO-8859-1' }].map(isAsciiLocale),
  ).toEqual([true, true, true])
  expect([{}, { LANG: 'C.UTF-8' }, { LANG: 'es_ES.utf8' }].map(isAsciiLocale)).toEqual([false, false, false])
})
