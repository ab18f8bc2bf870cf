// Cuts a Star printer's bytes into status blocks and decodes them. Pure: bytes in, replies out.
//
// Star Line Mode / StarPRNT specifications, "Automatic Status": header 1 (0xx0xxx1, contains the length), header 2 (version; bit 7: two
// length bytes and data follow, as over Ethernet), then status bytes 0xx0xxx0. The same block answers ESC ACK SOH and port 9101.
import { conditionOfAsb, type PrinterCondition } from './printer-status.ts'

export type StarReply =
  | { kind: 'status'; status: StarStatus }
  /** Answer to ESC GS ETX s n1 n2; with s = 1 everything before it is printed. */
  | { kind: 'print-end'; id: number }
  /** Belongs to no answer: greetings, flow control of serial lines, invalid bytes. */
  | { kind: 'noise'; byte: number }

export interface StarStatus {
  condition: PrinterCondition
  /** 0 to 31, incremented with each ETB that the printer processes; null if the model's status is too short to contain it. */
  etbCount: number | null
  /** Bytes were lost because the printer's buffer was full: the document in progress is incomplete. */
  overflow: boolean
}

/** The ETB counter's five bits. */
export const ETB_MODULUS = 32

const SHORTEST = 7
/** "0x0000 to 0x0200" in the specification. */
const LONGEST_DATA = 0x200
const PRINT_END = [0x1b, 0x1d, 0x03] as const
const PRINT_END_BYTES = 8

/** Streaming: replies may be split at any byte or joined. Never throws, holds at most one block. */
export class StarStatusParser {
  #pending: number[] = []

  push(chunk: Uint8Array): StarReply[] {
    const replies: StarReply[] = []
    for (const byte of chunk) {
      this.#pending.push(byte)
      for (let step = take(this.#pending); step; step = take(this.#pending)) {
        this.#pending.splice(0, step.length)
        replies.push(...step.replies)
      }
    }
    return replies
  }
}

interface Step {
  replies: StarReply[]
  length: number
}

/** The block at the start of `bytes`, or null when it is not complete yet. */
function take(bytes: readonly number[]): Step | null {
  const first = bytes[0]
  if (first === undefined) return null
  if (first === PRINT_END[0]) return takePrintEnd(bytes)
  if ((first & 0x91) === 0x01) return takeStatus(first, bytes)
  return noise(first)
}

function takeStatus(first: number, bytes: readonly number[]): Step | null {
  const length = ((first >> 2) & 0x18) | ((first >> 1) & 0x07)
  if (length < SHORTEST) return noise(first)
  const version = bytes[1]
  // Header 2 and status bytes are all of the form 0xx0xxx0, except for bit 7 of header 2.
  if (version !== undefined && (version & 0x11) !== 0) return noise(first)
  for (const byte of bytes.slice(2, length)) if ((byte & 0x91) !== 0) return noise(first)
  if (version === undefined || bytes.length < length) return null
  const status: StarReply = { kind: 'status', status: statusOf(bytes.slice(0, length)) }
  if ((version & 0x80) === 0) return { replies: [status], length }
  if (bytes.length < length + 2) return null
  const dataBytes = (bytes[length] ?? 0) * 256 + (bytes[length + 1] ?? 0)
  if (dataBytes > LONGEST_DATA) return noise(first)
  const end = length + 2 + dataBytes
  if (bytes.length < end) return null
  return { replies: [status, ...printEndsIn(bytes.slice(length + 2, end))], length: end }
}

function statusOf(block: readonly number[]): StarStatus {
  const [, , printer = 0, error = 0, jam = 0, paper = 0] = block
  const eighth = block[7]
  return {
    // Star and Epson agree on the bits of the first two bytes: 3 offline, 5 cover; 3 cutter, 5 fault, 2 and 6 passing errors.
    condition: conditionOfAsb([
      printer | bit(printer, 0x40, 0x08),
      error | bit(jam, 0x0e, 0x40),
      bit(paper, 0x08, 0x0c) | bit(paper, 0x04, 0x03),
      0,
    ]),
    etbCount: eighth === undefined ? null : ((eighth >> 1) & 0x07) | ((eighth >> 2) & 0x18),
    overflow: (jam & 0x40) !== 0,
  }
}

/** Sent alone over USB and serial; over Ethernet it may come as the data of a status block. */
function takePrintEnd(bytes: readonly number[]): Step | null {
  if (bytes.some((byte, at) => at < PRINT_END.length && byte !== PRINT_END[at])) return noise(bytes[0] ?? 0)
  if (bytes.length < PRINT_END_BYTES) return null
  return { replies: printEndsIn(bytes), length: PRINT_END_BYTES }
}

/** ESC GS ETX s n1 n2 count NUL, anywhere in `data`; s = 0 only reports the count and proves nothing. */
function printEndsIn(data: readonly number[]): StarReply[] {
  const replies: StarReply[] = []
  for (let at = 0; at + PRINT_END_BYTES <= data.length; at++) {
    if (PRINT_END.some((byte, i) => data[at + i] !== byte) || data[at + 3] !== 1) continue
    replies.push({ kind: 'print-end', id: (data[at + 4] ?? 0) + (data[at + 5] ?? 0) * 256 })
  }
  return replies
}

function bit(byte: number, mask: number, as: number): number {
  return (byte & mask) === 0 ? 0 : as
}

function noise(byte: number): Step {
  return { replies: [{ kind: 'noise', byte }], length: 1 }
}
