// Which messages the relay accepts: what a seal proves, and what is accepted unsealed from an older gateway.
import { describe, expect, it } from 'vitest'
import { sealText } from '#shared/link-seal.ts'
import { CAP_DIGEST, LINK_LIMITS } from '#shared/wire/gateway-link.ts'
import { isBelieved, readUp } from './up-messages.ts'

const OLDER = { isWithoutDigests: true }
const SEALING = { isWithoutDigests: false }

const ack = JSON.stringify({ v: 1, id: 'm', ts: 0, e: 1, t: 'ack', stream: 's', last: 3 })
const helloWith = (caps: string[]): string =>
  JSON.stringify({
    ...{ v: 1, id: 'm', ts: 0, e: 1, t: 'hello', proto: [1, 1], stream: 's', last: 0, bootId: 'b', app: 'a' },
    ...{ cfgVer: 0, caps, t0: 0, unreported: 0 },
  })
const heard = (text: string) => readUp(Buffer.from(text))
/** The same text with one digit changed: it stays a valid message. */
const changed = (text: string): string => text.replace('"last":3', '"last":7')

describe('a message of a gateway', () => {
  it('is believed with its seal, whatever is known of the gateway', () => {
    for (const session of [null, OLDER, SEALING]) expect(isBelieved(heard(sealText(ack)), session)).toBe(true)
  })

  it('is believed without a seal only when the hello of this gateway declared none', () => {
    expect([null, OLDER, SEALING].map((session) => isBelieved(heard(ack), session))).toEqual([false, true, false])
  })

  it('that was changed in transit is never believed, and its content is not read', () => {
    const corrupt = heard(changed(sealText(ack)))
    expect(corrupt).toEqual({ seal: 'corrupt', message: null })
    for (const session of [null, OLDER, SEALING]) expect(isBelieved(corrupt, session)).toBe(false)
  })
})

describe('a hello', () => {
  it('is believed when seal and capability agree, and not when one of them is missing', () => {
    const said = { sealing: helloWith([CAP_DIGEST]), older: helloWith([]) }
    const believed = [sealText(said.sealing), said.older, said.sealing, sealText(said.older)].map((text) =>
      isBelieved(heard(text), null),
    )
    expect(believed).toEqual([true, true, false, false])
  })
})

it.each([
  ['no JSON', '{'],
  ['of no known type', JSON.stringify({ v: 1, id: 'm', ts: 0, e: 1, t: 'dance' })],
  ['too long', JSON.stringify({ ...JSON.parse(ack), pad: 'x'.repeat(LINK_LIMITS.jobBytes) })],
])('what is %s is no message, sealed or not', (_words, text) => {
  expect(heard(text).message).toBeNull()
  expect(heard(sealText(text)).message).toBeNull()
})

it('what is too long is reported as that, and never believed, though it may be sealed or intact', () => {
  const text = JSON.stringify({ ...JSON.parse(ack), pad: 'x'.repeat(LINK_LIMITS.jobBytes) })
  for (const long of [text, sealText(text)]) {
    expect(heard(long)).toEqual({ seal: 'too-long', message: null })
    for (const session of [null, OLDER, SEALING]) expect(isBelieved(heard(long), session)).toBe(false)
  }
})
