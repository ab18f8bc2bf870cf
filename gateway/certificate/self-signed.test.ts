// The certificate of the box's own making, as OpenSSL reads it.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { selfSigned } from './self-signed.ts'

const FROM = Date.UTC(2026, 10, 24, 12, 30, 15)
const UNTIL = Date.UTC(2029, 1, 3)
const NEVER = { subject: 'never', wildcards: false } as const

async function made(change: Partial<Parameters<typeof selfSigned>[0]> = {}) {
  const { key, certificate } = await selfSigned({
    ...{ names: ['kitchen-7f3a', 'kitchen-7f3a.local', '192.168.1.7', '::1'], fromMs: FROM, untilMs: UNTIL },
    ...change,
  })
  return { key: createPrivateKey(key), x509: new X509Certificate(certificate) }
}

describe('a certificate of the box’s own making', () => {
  it('matches its key, is self-signed, and is no certificate authority', async () => {
    const { key, x509 } = await made()
    expect(x509.checkPrivateKey(key)).toBe(true)
    expect(x509.verify(x509.publicKey)).toBe(true)
    expect(x509.ca).toBe(false)
    expect(key.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
    expect(x509.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
  })

  it('names the machine and its addresses', async () => {
    const { x509 } = await made()
    expect(x509.subject).toBe('O=Ticketrail gateway\nCN=kitchen-7f3a')
    expect(x509.subjectAltName).toBe(
      'DNS:kitchen-7f3a, DNS:kitchen-7f3a.local, IP Address:192.168.1.7, IP Address:0:0:0:0:0:0:0:1',
    )
    expect(x509.checkHost('kitchen-7f3b', NEVER)).toBeUndefined()
  })

  it('holds from and until the given seconds, before and after the year in which the form of dates changes', async () => {
    const { x509 } = await made()
    expect([x509.validFromDate.getTime(), x509.validToDate.getTime()]).toEqual([FROM, UNTIL])
    const late = { fromMs: Date.UTC(2049, 11, 31, 23, 59, 59), untilMs: Date.UTC(2050, 0, 1) }
    const { x509: later } = await made(late)
    expect([later.validFromDate.getTime(), later.validToDate.getTime()]).toEqual([late.fromMs, late.untilMs])
  })

  it('has another key and another number each time', async () => {
    const [one, two] = await Promise.all([made(), made()])
    expect(one.x509.serialNumber).not.toBe(two.x509.serialNumber)
    expect(one.x509.publicKey.equals(two.x509.publicKey)).toBe(false)
  })

  it('takes any address, and leaves out what is no name', async () => {
    const { x509 } = await made({ names: ['Küche', 'a b', 'x\u0000.example', 'kitchen', ''] })
    expect(x509.subjectAltName).toBe('DNS:kitchen')
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.ipV4(), fc.ipV6()), async (address) => {
        const one = await made({ names: [address] })
        expect(one.x509.checkIP(address)).toBe(address)
      }),
      { numRuns: 30 },
    )
  })

  it('can carry many names', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `${'x'.repeat(50)}-${index}.example`)
    const { x509 } = await made({ names })
    for (const name of names) expect(x509.checkHost(name, NEVER)).toBe(name)
  })
})
