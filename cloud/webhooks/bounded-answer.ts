// Ends a connection whose response is too long before the HTTP parser gets it, so that the cost of a hostile response does not depend on its form.
import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'

/**
 * The parser calls our program for each header, each interim response (1xx) and each chunk in its input, and does not stop when one of
 * these calls has ended the connection. So it gets this many bytes at a time, and the rest in a later turn of the event loop.
 */
const PIECE_BYTES = 4_096

/** The response is longer than anything that is read of it. */
export class AnswerTooLongError extends Error {
  readonly code = 'ANSWER_TOO_LONG'
  constructor() {
    super('the answer is too long')
    this.name = 'AnswerTooLongError'
  }
}

/** Limits for one response: status lines, headers, interim responses, chunk sizes, trailers and body together. */
export interface AnswerLimits {
  bytes: number
  /** Line feeds: a header of two letters costs the parser as much as one of two kilobytes. */
  lines: number
}

/**
 * Connects like `connect`, but passes on only this much of a response, counted from our request (and up to 4 KiB more). Then the connection
 * ends with an AnswerTooLongError, unless the reader of the response has ended it before.
 */
export function boundedAnswers(connect: buildConnector.connector, most: AnswerLimits): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      const [, socket] = result
      // Undefined after a failure, although the types do not allow that.
      if (socket) bound(socket, most)
      callback(...result)
    })
}

/** When the socket emits `readable`, undici reads with `read()` without a size until it gets null. */
function bound(socket: Socket, most: AnswerLimits): void {
  const read: (size?: number) => Buffer | null = socket.read.bind(socket)
  let requestBytes = 0
  let bytes = 0
  let lines = 0
  let isWaiting = false
  const goOn = (): void => {
    isWaiting = false
    if (!socket.destroyed) socket.emit('readable')
  }
  socket.read = () => {
    if (isWaiting || socket.destroyed) return null
    const has = socket.readableLength
    if (has === 0) return read()
    // Only our next request starts a new response; nothing that the receiver sends does.
    if (socket.bytesWritten !== requestBytes) {
      requestBytes = socket.bytesWritten
      bytes = 0
      lines = 0
    }
    if (bytes >= most.bytes || lines >= most.lines) {
      socket.destroy(new AnswerTooLongError())
      return null
    }
    const piece = has > PIECE_BYTES ? read(PIECE_BYTES) : read()
    if (piece === null) return null
    bytes += piece.length
    lines += linesIn(piece)
    if (has > PIECE_BYTES) {
      isWaiting = true
      setImmediate(goOn)
    }
    return piece
  }
}

const LINE_FEED = 0x0a

function linesIn(piece: Buffer): number {
  let count = 0
  for (const byte of piece) if (byte === LINE_FEED) count += 1
  return count
}
