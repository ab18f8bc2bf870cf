// Breaks a TCP connection with a reset, in any state.
import type { Socket } from 'node:net'

/**
 * Sends RST and destroys the socket, at once or one turn of the loop later: the peer gets ECONNRESET, and what the operating system still
 * holds is dropped. Between `end()` and the end of its shutdown, one turn later, libuv refuses a reset (`uv_tcp_close_reset`: EINVAL), and
 * Node treats the socket as closed: it would stay open as long as the program runs, which then never ends. So we wait for that moment.
 */
export function resetSocket(socket: Socket): void {
  const isShuttingDown = socket.writableEnded && !socket.writableFinished && socket.writableLength === 0
  if (isShuttingDown && !socket.destroyed) socket.once('finish', () => socket.resetAndDestroy())
  else socket.resetAndDestroy()
}
