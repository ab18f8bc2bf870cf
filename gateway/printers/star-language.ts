// The Star language (Line Mode, StarPRNT, raster): its queries, the frame of a ticket, the proof of the end of printing.
import type { OpenChannel } from './byte-channel.ts'
import type { LanguageOptions, PrinterLanguage } from './printer-language.ts'
import { StarAcquaintance } from './star-acquaintance.ts'
import { closeStarIncomplete, PUSH_OFF, starPadding } from './star-commands.ts'
import { type StarConnection, speakStar } from './star-dialogue.ts'
import { starFrame } from './star-frame.ts'
import { StarStatusPort } from './star-status-port.ts'

export interface StarOptions extends LanguageOptions {
  /** Opens a connection to its status port; null when it has none. */
  openStatusPort: OpenChannel | null
  /** An earlier process may have stopped in the middle of a ticket: its questions may still be answered. */
  interrupted: boolean
}

/** Its question before the ticket and the one after it. */
const ETBS_OF_A_DEAD_PROCESS = 6

/** For one printer: it keeps what that one was seen to answer. */
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
      // A picture that was cut off would take the question for dots.
      if (mayStandUncut) connection.write(padding)
      return acquaintance.tryInOrder(connection, signal)
    },
    isDoubted: () => false,
    proofFailed: () => {},

    frame: (connection, ticket) => starFrame(connection, { ...ticket, profile, capability: acquaintance.capability }),

    // No command continues after an error: the printer goes on by itself when its cause is gone.
    recover: () => false,
    // CAN empties the buffers of some models at once and of others in its turn, and no answer shows which.
    clearBuffers: null,
    stayOpen: () => {},
  }
}
