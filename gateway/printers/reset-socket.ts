// Breaks a TCP connection with a reset, whatever state it is in.
import type { Socket } from 'node:net'

/**
 * Sends RST and lets the socket go, at once or one round of the loop later: the peer gets ECONNRESET, and what the operating system still holds is dropped.
 * Between `end()` and the end of its shutdown, one round of the loop later, libuv refuses a reset (`uv_tcp_close_reset`: EINVAL), and Node
 * takes the socket for closed: it would stay open as long as the program runs, which then never ends. So that moment is waited for.
 */
export function resetSocket(socket: Socket): void {
  const isShuttingDown = socket.writableEnded && !socket.writableFinished && socket.writableLength === 0
  if (isShuttingDown && !socket.destroyed) socket.once('finish', () => socket.resetAndDestroy())
  else socket.resetAndDestroy()
}
