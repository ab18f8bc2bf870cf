// Requests of senders that behave badly, for receivers of webhooks that must outlive them.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'

const PIECE = 65_536

/** Sends the head of a POST and a part of its body, and hangs up. Ends when the connection is closed. */
export async function hangUpInBody(url: string): Promise<void> {
  const { hostname, port, pathname, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\n`
  // The answer to Expect tells that the receiver reads the body by now.
  socket.write(head)
  await once(socket, 'data')
  socket.write('{"id":')
  socket.resetAndDestroy()
  await once(socket, 'close')
}

/**
 * Sends piece by piece, and no more once it has the answer: who refuses a body may close the connection, and what a client still writes then
 * costs it the answer. Who refuses at the announced length has done so when it answers a request that came later.
 * @returns the status of a POST with a body of this many bytes
 */
export async function statusOfBody(url: string, bytes: number): Promise<number | undefined> {
  const headers = { 'content-type': 'application/json', 'content-length': bytes, expect: '100-continue' }
  const sent = request(url, { method: 'POST', headers })
  // After the answer a piece under way may still fail, and nobody waits for that.
  sent.on('error', () => {})
  let answer: IncomingMessage | null = null
  const answered = once(sent, 'response').then(([first]) => {
    answer = first as IncomingMessage
    return answer
  })
  await Promise.race([once(sent, 'continue'), answered])
  if (answer === null) await (await fetch(url)).arrayBuffer()
  for (let left = bytes; left > 0 && answer === null; left -= PIECE) {
    const isRoomLeft = sent.write(Buffer.alloc(Math.min(left, PIECE), 0x20))
    await Promise.race([isRoomLeft ? setImmediate() : once(sent, 'drain'), answered])
  }
  const { statusCode } = await answered
  sent.destroy()
  return statusCode
}
