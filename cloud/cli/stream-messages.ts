// Reads a text/event-stream message by message, until it ends or is silent for too long.
import type { Clock } from '#shared/clock.ts'

export interface StreamMessage {
  event: string
  data: string
}

/** A message contains one event. A relay sends none that is longer. */
const LONGEST_MESSAGE = 8_000_000

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
  let rest = ''
  try {
    for await (const chunk of body) {
      cancel()
      cancel = clock.after(ms, onSilence)
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
      rest = parts.pop() ?? ''
      if (rest.length > LONGEST_MESSAGE) throw new Error('a message of the stream is too long')
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
