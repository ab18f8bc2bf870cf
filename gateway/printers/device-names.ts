// GS I: the device's own description over its own connection, as sanitized text.
import type { EscposConnection } from './escpos-dialogue.ts'
import { cleanAnswer } from './identity.ts'

/** Calls `hear` with each answer, requested or not, until the returned function is called. Null: nothing printable. */
export function onName(connection: EscposConnection, hear: (name: string | null) => void): () => void {
  return connection.dialogue.replies.subscribe((reply) => {
    if (reply.kind === 'block' && reply.head === 0x5f) hear(cleanAnswer(reply.text))
  })
}

/** Requests one of its names and waits for the answer. Null: no answer with a letter in it within `probeMs`. */
export async function askName(
  connection: EscposConnection,
  query: Uint8Array,
  { probeMs, signal }: { probeMs: number; signal: AbortSignal },
): Promise<string | null> {
  let heard: string | null = null
  const stop = onName(connection, (name) => {
    heard ??= name
  })
  connection.dialogue.expectModel()
  connection.write(query)
  await connection.until(() => heard !== null, probeMs, signal)
  stop()
  return heard
}
