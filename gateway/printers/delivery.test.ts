// Nothing of ours is sent between the bytes of a document, however much the printer sends meanwhile.
import { expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { PROFILE, SHORT } from '#test/doubles/printer-rig.ts'
import { ScriptedChannel } from '#test/doubles/scripted-channel.ts'
import { Delivery } from './delivery.ts'
import { speakEscpos } from './escpos-dialogue.ts'
import { HealthTracker } from './health-tracker.ts'
import type { DocumentFrame } from './printer-language.ts'

const PUSHED_STATUS = '\x10\0\0\0'
const FRAME: DocumentFrame = {
  method: 'gs-paren-h',
  head: Buffer.from('head'),
  tail: Buffer.from('tail'),
  answered: () => false,
  pushesStatus: true,
  answersStatus: true,
  isKnownToAnswer: true,
  goOn: Buffer.from('go on'),
}

it('a large picture is sent without a byte in between, while the printer pushes its status', async () => {
  const clock = new ManualClock()
  const channel = new ScriptedChannel()
  const connection = speakEscpos(channel, clock)
  const document = { bytes: Buffer.alloc(20_000, 'x'), heightMm: 100, lines: 1 }
  const printer = { profile: PROFILE, timeouts: SHORT, clock, health: new HealthTracker(clock, 1_000) }
  const { signal } = new AbortController()
  channel.isFull = true
  let isSent = false
  const delivery = new Delivery({ printer, connection, document, frame: FRAME, signal })
  const sent = delivery.send().finally(() => {
    isSent = true
  })
  while (!isSent) {
    channel.say(PUSHED_STATUS)
    // Long after an acknowledgement is due, and repeatedly when a status query is.
    await clock.advance(SHORT.pollMs)
    channel.drain()
    await clock.advance(0)
  }
  expect(await sent).toBeNull()
  const whole = Buffer.concat([FRAME.head, document.bytes, FRAME.tail])
  expect(channel.written.subarray(0, whole.length).equals(whole)).toBe(true)
})
