// Requests of senders that behave badly, for receivers of webhooks that must outlive them.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'

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

/** @returns the status of a POST with a body of this many bytes */
export async function statusOfBody(url: string, bytes: number): Promise<number | undefined> {
  const sent = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } })
  // Who refuses a body may close the connection before all of it is sent.
  sent.on('error', () => {})
  sent.end(Buffer.alloc(bytes, 0x20))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}
