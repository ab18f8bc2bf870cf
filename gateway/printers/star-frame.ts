// How a document goes out to a Star printer: initialisation before it, the question that proves it after it.
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import { bestMethod } from './confirm-ladder.ts'
import type { DocumentFrame, FramedTicket } from './printer-language.ts'
import { starPreamble } from './star-commands.ts'
import type { EndQuestion, StarConnection } from './star-dialogue.ts'

export interface StarFrameOptions extends FramedTicket {
  profile: PrinterProfile
  capability: PrinterCapability | null
}

const NO_QUESTION: EndQuestion = { bytes: new Uint8Array(), answered: () => false }

/** Made right before the attempt: it notes the question on the connection. */
export function starFrame(connection: StarConnection, options: StarFrameOptions): DocumentFrame {
  const { profile, capability, attemptId, documentBytes } = options
  const method = bestMethod(capability)
  // The status port pushes nothing.
  const pushes = method === 'star-etb' && connection.dialogue.statusPort === null
  const question = method === 'star-etb' ? endQuestion(connection, capability, attemptId) : NO_QUESTION
  const head = starPreamble(profile, pushes)
  const end = connection.writtenBytes + head.length + documentBytes + question.bytes.length
  connection.dialogue.pushing ||= pushes
  return {
    method,
    head,
    // The document has left raster mode, in which a question would be taken for dots.
    tail: question.bytes,
    answered: question.answered,
    pushesStatus: pushes,
    // Within a document a query might fall into a picture. Star advises against queries while status is pushed, because the answers
    // look alike. For us they are alike; and a printer that was switched off and on is noticed only by bytes that we send.
    get answersStatus() {
      return method !== 'none' && (connection.dialogue.statusPort !== null || connection.writtenBytes >= end)
    },
    isKnownToAnswer: capability !== null,
    // No command continues after an error: the printer goes on by itself when its cause is gone, or after power off and on.
    goOn: new Uint8Array(),
  }
}

/** Our own id if the printer supports the query: its counter is shared with other programs. */
function endQuestion(connection: StarConnection, capability: PrinterCapability | null, attemptId: string): EndQuestion {
  if (capability?.starPrintEnd) return connection.dialogue.askPrintEnd(documentIdOf(attemptId))
  return connection.dialogue.counts ? connection.dialogue.askEtb() : NO_QUESTION
}

/** 16 bits of an attempt's id, FNV-1a folded; 0 is what other programs use. */
export function documentIdOf(attemptId: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(attemptId)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return (hash >>> 16) ^ (hash & 0xffff) || 1
}
