// Reads a text/event-stream message by message, until it ends or is silent for too long.
import type { Clock } from '#shared/clock.ts'

export interface StreamMessage {
  event: string
  data: string
}

/** A message holds one event; nothing that is longer comes from a relay. */
const LONGEST_MESSAGE = 2_000_000

/**
 * Yields the messages.
 * @param silence after this many milliseconds without a byte, `onSilence` is called, which must end the stream
 * @throws Error if the connection breaks, or a message is too long
 */
export async function* streamMessages(
  body: AsyncIterable<Uint8Array>,
  silence: { clock: Clock; ms: number; onSilence: () => void },
): AsyncGenerator<StreamMessage> {
  const { clock, ms, onSilence } = silence
  const decoder = new TextDecoder()
  let cancel = clock.after(ms, onSilence)
  // In pieces, so that a long message is not copied for each of them.
  let pieces: string[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      cancel()
      cancel = clock.after(ms, onSilence)
      const text = decoder.decode(chunk, { stream: true })
      const isEnd = pieces.at(-1)?.endsWith('\n') === true && text.startsWith('\n')
      pieces.push(text)
      length += text.length
      if (length > LONGEST_MESSAGE) throw new Error('a message of the stream is too long')
      if (!isEnd && !text.includes('\n\n')) continue
      const parts = pieces.join('').split('\n\n')
      const rest = parts.pop() ?? ''
      pieces = rest === '' ? [] : [rest]
      length = rest.length
      for (const part of parts) {
        const message = messageOf(part)
        if (message.data !== '') yield message
      }
    }
  } finally {
    cancel()
  }
}

function messageOf(part: string): StreamMessage {
  const message: StreamMessage = { event: 'message', data: '' }
  for (const line of part.split('\n')) {
    const end = line.indexOf(':')
    const field = line.slice(0, end)
    const value = line.slice(line[end + 1] === ' ' ? end + 2 : end + 1)
    if (field === 'event') message.event = value
    if (field === 'data') message.data += value
  }
  return message
}
