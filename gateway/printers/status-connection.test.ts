// The byte that carries an acknowledgement: only while more of an answer is expected, and never an endless stream.
import { expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { ScriptedChannel } from '#test/doubles/scripted-channel.ts'
import { speakEscpos } from './escpos-dialogue.ts'

const PUSHED_STATUS = '\x10\0\0\0'

it('a printer that sends endlessly gets at most eight bytes until something else is sent', async () => {
  const clock = new ManualClock()
  const channel = new ScriptedChannel()
  const connection = speakEscpos(channel, clock)
  const talk = async (): Promise<void> => {
    for (let n = 0; n < 30; n++) {
      channel.say(PUSHED_STATUS)
      await clock.advance(10)
    }
  }
  void connection.untilAnswered(() => false, 60_000)
  await talk()
  expect(channel.written).toEqual(Buffer.alloc(8))
  connection.write(Buffer.from('told'))
  await talk()
  expect(channel.written).toEqual(Buffer.concat([Buffer.alloc(8), Buffer.from('told'), Buffer.alloc(8)]))
})
