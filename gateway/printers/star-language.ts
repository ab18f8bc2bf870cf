// The Star language (Line Mode, StarPRNT, raster): its queries, the frame of a ticket, the proof of the end of printing.

import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import type { OpenChannel } from './byte-channel.ts'
import { bestMethod } from './confirm-ladder.ts'
import type { DocumentFrame, FramedTicket, LanguageOptions, PrinterLanguage } from './printer-language.ts'
import { StarAcquaintance } from './star-acquaintance.ts'
import { closeStarIncomplete, PUSH_OFF, starPadding, starPreamble } from './star-commands.ts'
import { type EndQuestion, type StarConnection, speakStar } from './star-dialogue.ts'
import { StarStatusPort } from './star-status-port.ts'

export interface StarOptions extends LanguageOptions {
  /** Opens a connection to its status port; null if it has none. */
  openStatusPort: OpenChannel | null
  /** An earlier process may have stopped in the middle of a ticket: its queries may still be answered. */
  interrupted: boolean
}

/** Its query before the ticket and the one after it. */
const ETBS_OF_A_DEAD_PROCESS = 6

/** For one printer: it stores that printer's answers. */
export function starLanguage(options: StarOptions): PrinterLanguage<StarConnection> {
  const { profile, clock, timeouts, openStatusPort, interrupted, identity } = options
  const statusPort =
    openStatusPort && new StarStatusPort({ openChannel: openStatusPort, clock, timeoutMs: timeouts.probeMs })
  const acquaintance = new StarAcquaintance({ ...options, statusPort })
  const padding = starPadding(profile)
  /** The last connection: what it left in the printer may still be answered on the next. */
  let last: StarConnection | null = null

  return {
    name: 'star',
    padding,
    incompleteMark: closeStarIncomplete(profile),
    capability: () => acquaintance.capability,
    onCapability: (listener) => acquaintance.onCapability(listener),
    speak: (channel) => {
      const before = interrupted ? ETBS_OF_A_DEAD_PROCESS : 0
      last = speakStar(channel, clock, last?.dialogue.etbsInFlight ?? before)
      return last
    },
    farewell: ({ dialogue }) => (dialogue.pushing ? PUSH_OFF : new Uint8Array()),

    // Its serial number cannot be read: only the hardware address distinguishes one from another.
    recognition: {
      isOtherHardware: () => identity?.isOtherHardware() ?? false,
      greet: async () => {
        const isOther = identity?.isOtherHardware() ?? false
        if (isOther) identity?.noteOtherHardware()
        else identity?.noteSameHardware()
        return isOther ? 'other' : 'same'
      },
      recognise: async () => 'same',
      countSilence: () => 'silent',
      sawStrange: () => false,
      askWhoItIs: async () => true,
    },

    ask: async (connection, _of, signal) => {
      const isAlive = await acquaintance.askStatus(connection, signal)
      if (signal.aborted) return 'aborted'
      if (connection.end !== null) return 'ended'
      return isAlive ? 'answered' : 'silent'
    },
    // Its pushed status may be outdated: one that was switched off and on meanwhile does not have this connection.
    mayAskAgain: ({ dialogue }) => !dialogue.pushing,
    lookAgain: (kept) => {
      // While status is pushed, Star forbids queries for it: the in-order query shows as much.
      const isPushing = kept?.open && kept.dialogue.pushing
      if (isPushing) kept.dialogue.proven = false
      else if (kept) kept.ready = false
      return isPushing ? 'ticket' : 'state'
    },

    isVerifyDue: ({ dialogue }, purpose) => purpose === 'ticket' && !dialogue.proven,
    verify: (connection, mayStandUncut, signal) => {
      // A picture that was cut off would take the query as dots.
      if (mayStandUncut) connection.write(padding)
      return acquaintance.tryInOrder(connection, signal)
    },
    isDoubted: () => false,
    proofFailed: () => {},

    frame: (connection, ticket) => starFrame(connection, { ...ticket, profile, capability: acquaintance.capability }),

    // No command makes it continue after an error: the printer does so itself when the cause is gone.
    recover: () => false,
    // CAN clears the buffers of some models at once and of others in sequence, and no answer shows which.
    clearBuffers: null,
    stayOpen: () => {},
  }
}

// The frame of a document for a Star printer: initialization before it, the proving query after it.
interface StarFrameOptions extends FramedTicket {
  profile: PrinterProfile
  capability: PrinterCapability | null
}

const NO_QUESTION: EndQuestion = { bytes: new Uint8Array(), answered: () => false }

/** Created right before the attempt: registers the query on the connection. */
function starFrame(connection: StarConnection, options: StarFrameOptions): DocumentFrame {
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
    // The document has left raster mode, in which a query would be read as dots.
    tail: question.bytes,
    answered: question.answered,
    pushesStatus: pushes,
    // Within a document a query might fall into a picture. Star advises against queries while status is pushed, because the answers
    // look alike. For us they are alike; and a printer that was switched off and on is noticed only by bytes that we send.
    get answersStatus() {
      return method !== 'none' && (connection.dialogue.statusPort !== null || connection.writtenBytes >= end)
    },
    isKnownToAnswer: capability !== null,
    // No command makes it continue after an error: the printer does so itself when the cause is gone, or after power off and on.
    goOn: new Uint8Array(),
  }
}

/** Our own id if the printer supports the query: its counter is shared with other programs. */
function endQuestion(connection: StarConnection, capability: PrinterCapability | null, attemptId: string): EndQuestion {
  if (capability?.starPrintEnd) return connection.dialogue.askPrintEnd(documentIdOf(attemptId))
  return connection.dialogue.counts ? connection.dialogue.askEtb() : NO_QUESTION
}

/** 16 bits of an attempt's id, FNV-1a folded; 0 is what other programs use. */
function documentIdOf(attemptId: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(attemptId)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return (hash >>> 16) ^ (hash & 0xffff) || 1
}
