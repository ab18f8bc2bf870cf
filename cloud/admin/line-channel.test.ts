// What crosses the admin socket, however it is cut into pieces.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { type LineMessage, lineMessage, listenTo } from './line-channel.ts'

function listener(): { channel: PassThrough; heard: LineMessage[] } {
  const channel = new PassThrough()
  const heard: LineMessage[] = []
  listenTo(channel as unknown as Socket, lineMessage, (message) => heard.push(message))
  return { channel, heard }
}

test('messages are heard whole and in order, whatever the pieces', async () => {
  const { channel, heard } = listener()
  const sent = [
    { t: 'file', text: 'crème brûlée' },
    { t: 'no-file', why: 'gone' },
  ]
  for (const byte of Buffer.from(sent.map((message) => `${JSON.stringify(message)}\n`).join('')))
    channel.write(Buffer.of(byte))
  channel.end(`${JSON.stringify(sent[0])}\n${JSON.stringify(sent[1])}\n{"t":"fi`)
  await once(channel, 'end')
  expect(heard).toEqual([...sent, ...sent])
})

test('after what is no message nothing is heard', async () => {
  const { channel, heard } = listener()
  channel.write('{"t":"no-file","why":"one"}\nnonsense\n{"t":"no-file","why":"two"}\n')
  await expect(once(channel, 'end')).rejects.toThrow('a message cannot be understood')
  expect(heard).toEqual([{ t: 'no-file', why: 'one' }])
})

test('the length limit applies to each message by itself', async () => {
  const { channel, heard } = listener()
  const message = JSON.stringify({ t: 'no-file', why: 'a'.repeat(17_000_000) })
  channel.end(`${message}\n${message}\n`)
  await once(channel, 'end')
  expect(heard).toHaveLength(2)
})

test('a message of more than 33,554,432 characters ends the channel', async () => {
  const { channel } = listener()
  const piece = 'a'.repeat(1_048_576)
  for (let sent = 0; sent <= 32; sent++) channel.write(piece)
  await expect(once(channel, 'end')).rejects.toThrow('a message is too long')
})
