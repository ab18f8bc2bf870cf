// Messages of a text/event-stream, however the network splits them.
import { expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { type StreamMessage, streamMessages } from './stream-messages.ts'

async function messagesOf(...chunks: (string | Uint8Array)[]): Promise<StreamMessage[]> {
  async function* body() {
    for (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
  }
  const silence = { clock: new ManualClock(), ms: 1_000, onSilence: () => {} }
  const messages: StreamMessage[] = []
  for await (const message of streamMessages(body(), silence)) messages.push(message)
  return messages
}

it('keeps Unicode line separators, colons and spaces of the data', async () => {
  const data = JSON.stringify({ note: 'a\u2028b\u2029c: d  ' })
  expect(await messagesOf(`event: delivery\ndata: ${data}\n\n`)).toEqual([{ event: 'delivery', data }])
  expect(await messagesOf('data:  x:y\n\n')).toEqual([{ event: 'message', data: ' x:y' }])
})

it('gives up a message that does not end', async () => {
  await expect(messagesOf(...Array(21).fill('x'.repeat(100_000)))).rejects.toThrow(/too long/)
})

it('puts together what comes byte by byte, and leaves out comments and other fields', async () => {
  const bytes = new TextEncoder().encode(': beat\n\nid: 1\nevent:bye\ndata:{"reason":"🍔"}\n\n')
  const pieces = [...bytes].map((byte) => Uint8Array.of(byte))
  expect(await messagesOf(...pieces)).toEqual([{ event: 'bye', data: '{"reason":"🍔"}' }])
})
