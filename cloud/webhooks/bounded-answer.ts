// Ends a connection whose answer is too long before the HTTP parser has seen it, so that the cost of a hostile answer does not depend on its form.
import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'

/**
 * The parser calls our program once for each header, each interim answer (1xx) and each chunk of what it is given, and does not stop when
 * one of these calls has ended the connection. So it is given this many bytes at a time, and the rest in a later turn of the event loop.
 */
const PIECE_BYTES = 4_096

/** The answer is longer than anything that is read of it. */
export class AnswerTooLongError extends Error {
  readonly code = 'ANSWER_TOO_LONG'
  constructor() {
    super('the answer is too long')
    this.name = 'AnswerTooLongError'
  }
}

/** Of one answer: status lines, headers, interim answers, sizes of chunks, trailers and body together. */
export interface AnswerLimits {
  bytes: number
  /** Line feeds: a header that is two letters long costs the parser as much as one of two kilobytes. */
  lines: number
}

/**
 * Connects like `connect`, but passes on only this much of an answer, counted from our request; up to 4 KiB more may be passed on. Then
 * the connection ends with an AnswerTooLongError, unless the reader of the answer has ended it before, having read enough.
 */
export function boundedAnswers(connect: buildConnector.connector, most: AnswerLimits): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      const [, socket] = result
      // After a failure it is undefined, whatever the types say.
      if (socket) bound(socket, most)
      callback(...result)
    })
}

/** undici reads what has come by `read()` without a size, when the socket emits `readable`, until it gets null. */
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
    // Only our own next request begins a new answer: nothing that the other side sends does.
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
