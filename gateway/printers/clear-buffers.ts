// DLE DC4 8: what was sent and is not printed can no longer come out.
import { CLEAR_BUFFERS } from './escpos-commands.ts'
import type { EscposConnection } from './escpos-dialogue.ts'

/**
 * True when the printer answered that its buffers are empty. Afterwards the connection must be asked before it is used; when false,
 * it must not be used at all, because the command may still be waiting in it.
 */
export async function clearBuffers(
  connection: EscposConnection,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  if (!connection.open) return false
  const cleared = connection.dialogue.expectCleared()
  connection.ready = false
  connection.write(CLEAR_BUFFERS)
  const done = await connection.until(cleared, timeoutMs, signal)
  if (done) connection.unconfirmed = false
  return done
}
