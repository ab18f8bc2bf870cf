// The ESC/POS language: its queries, probing, the frame of a ticket, and recovery.

import type { ConfirmMethod } from '#shared/print-job.ts'
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import { Acquaintance } from './acquaintance.ts'
import { bestMethod, confirmQuery, processIdOf } from './confirm-ladder.ts'
import {
  ASB_OFF,
  ASB_ON,
  CLEAR_BUFFERS,
  closeIncomplete,
  PARAMETER_PADDING,
  picturePadding,
  preamble,
  RECOVER_AND_CLEAR,
  RECOVER_AND_GO_ON,
} from './escpos-commands.ts'
import { type EscposConnection, speakEscpos } from './escpos-dialogue.ts'
import type { Patience } from './identity-guard.ts'
import { paperCountOf } from './paper-count.ts'
import type {
  DocumentFrame,
  FramedTicket,
  Heard,
  LanguageOptions,
  PrinterLanguage,
  Purpose,
  Recognition,
} from './printer-language.ts'
import { FINE } from './printer-status.ts'
import { probe } from './probe.ts'
import { Recovery } from './recovery.ts'
import type { TransportTimeouts } from './timeouts.ts'

/** When a ticket waits, a new printer that does not answer in this part of the probe time gets the other queries meanwhile. */
const FIRST_QUESTION = 0.25

/** For one printer: it stores that printer's answers. */
export function escposLanguage(options: LanguageOptions): PrinterLanguage<EscposConnection> {
  const { profile, clock, timeouts, capability, identity } = options
  // Capabilities of a Star printer under the same name do not apply to this one.
  const isOurs = !capability?.starStatus && !capability?.starEtb
  const acquaintance = new Acquaintance({
    ...options,
    capability: isOurs ? capability : null,
    refuseIfStrange: async (connection, look, signal) =>
      (await identity?.refuseIfStrange(connection, look, patienceOf(timeouts, signal))) ?? false,
  })
  const recovery = new Recovery(timeouts.recoverEveryMs)

  /** Before a query that is answered in order: a picture that was cut off would take it as dots. */
  const feed = (connection: EscposConnection, mayStandUncut: boolean): void => {
    if (mayStandUncut) connection.write(picturePadding(profile))
  }

  /** True if its tickets are proved by the text of its answer, and the expected text is not known yet. */
  const isModelNeeded = (): boolean => identity?.model === null && acquaintance.isModelNeeded

  return {
    name: 'escpos',
    padding: PARAMETER_PADDING,
    incompleteMark: closeIncomplete(profile),
    capability: () => acquaintance.capability,
    onCapability: (listener) => acquaintance.onCapability(listener),
    speak: (channel) => speakEscpos(channel, clock),
    farewell: () => (acquaintance.capability?.asb ? ASB_OFF : new Uint8Array()),

    recognition: recognition(options, acquaintance, feed),

    ask: (connection, { mayStandUncut, purpose }, signal) =>
      ask(connection, { acquaintance, purpose, feed: () => feed(connection, mayStandUncut) }, signal),
    mayAskAgain: (connection) => !connection.dialogue.answersUnasked && !acquaintance.isUnbelievable(connection),
    lookAgain: (kept) => {
      if (kept?.open) kept.ready = false
      return 'state'
    },

    isVerifyDue: (connection, purpose) =>
      !connection.dialogue.learnt &&
      (acquaintance.isDoubted ||
        acquaintance.isUnbelievable(connection) ||
        (purpose === 'ticket' && (acquaintance.isLookDue || isModelNeeded()))),
    verify: async (connection, mayStandUncut, signal) => {
      if (acquaintance.isUnbelievable(connection)) acquaintance.isDoubted = true
      feed(connection, mayStandUncut)
      await acquaintance.learn(connection, signal)
      if (connection.condition?.blocked) connection.dialogue.learnt = false
      return !acquaintance.isDoubted
    },
    isDoubted: () => acquaintance.isDoubted,
    proofFailed: (connection) => acquaintance.noteUnproved(connection),

    frame: (connection, ticket) => {
      const model = identity?.model ?? acquaintance.model
      const frame = escposFrame(connection, { ...ticket, profile, capability: acquaintance.capability, model })
      connection.dialogue.pushing = frame.pushesStatus
      return frame
    },

    recover: (connection, mayStandUncut) => {
      const left = { mayStandUncut, clearsBuffer: profile.clearsBuffer }
      const step = recovery.next(connection.condition ?? FINE, clock.monotonicMs(), left)
      if (step === 'go-on') connection.write(RECOVER_AND_GO_ON)
      if (step === 'clear') connection.write(RECOVER_AND_CLEAR)
      return step === 'discard'
    },
    clearBuffers: (connection, signal) => clearBuffers(connection, timeouts.discardMs, signal),
    stayOpen: (connection) => {
      if (connection.dialogue.pushing || !acquaintance.capability?.asb) return
      connection.dialogue.pushing = true
      connection.write(ASB_ON)
    },
  }
}

function patienceOf({ probeMs, learnMs }: TransportTimeouts, signal: AbortSignal): Patience {
  return { probeMs, learnMs, signal }
}

/** Checks whether the device that answers is the printer that was set up. */
function recognition(
  { identity, timeouts }: LanguageOptions,
  acquaintance: Acquaintance,
  feed: (connection: EscposConnection, mayStandUncut: boolean) => void,
): Recognition<EscposConnection> {
  const patience = (signal: AbortSignal): Patience => patienceOf(timeouts, signal)
  const isOtherHardware = (): boolean => identity?.isOtherHardware() ?? false
  return {
    isOtherHardware,
    greet: async (connection, mayStandUncut, signal) => {
      const isOther = isOtherHardware()
      if (isOther) await identity?.meet(connection, patience(signal))
      // Together with the status query. If a picture was cut off, it comes after the padding.
      else if (!mayStandUncut) identity?.ask(connection)
      return isOther ? 'other' : 'same'
    },
    recognise: async (connection, { isStopped, mayStandUncut }, signal) => {
      if (identity === undefined || signal.aborted) return 'same'
      if (!identity.hasAsked(connection)) {
        feed(connection, mayStandUncut)
        identity.ask(connection)
      }
      const who = await identity.recognise(connection, isStopped, patience(signal))
      if (who === 'same' && !isStopped && !acquaintance.isDoubted) identity.noteSame()
      return who
    },
    countSilence: () => identity?.countSilence() ?? 'silent',
    sawStrange: () => identity?.sawStrange ?? false,
    askWhoItIs: async (connection, mayStandUncut, signal) => {
      if (!identity?.isNew || !acquaintance.capability?.gsI || mayStandUncut) return true
      return identity.askWhoItIs(connection, patience(signal))
    },
  }
}

async function ask(
  connection: EscposConnection,
  { acquaintance, purpose, feed }: { acquaintance: Acquaintance; purpose: Purpose; feed: () => void },
  signal: AbortSignal,
): Promise<Heard> {
  const { capability, lookMs, probeMs } = acquaintance
  const isNew = capability === null
  if (capability?.dleEot === false) feed()
  const heard = await probe(connection, {
    capability,
    ns: bestMethod(capability) === 'dle-eot' ? [1, 2, 3, 4] : [1],
    timeoutMs: isNew ? lookMs * (purpose === 'state' ? 1 : FIRST_QUESTION) : probeMs,
    repeats: isNew ? 0 : 1,
    signal,
  })
  connection.dialogue.dleEot = heard === 'answered' && (isNew || capability.dleEot)
  const isStranger = heard === 'silent' && !isNew && acquaintance.countSilence()
  if (isStranger) feed()
  const isAnother = isStranger && (await hasOtherAnswers(connection, acquaintance, signal))
  if (!isAnother && signal.aborted) return 'aborted'
  if (!isAnother && heard !== 'answered') return heard
  acquaintance.noteAnswer(connection)
  return 'answered'
}

/** True when the device at the address now answers other queries than before, and can prove its tickets. */
async function hasOtherAnswers(
  connection: EscposConnection,
  acquaintance: Acquaintance,
  signal: AbortSignal,
): Promise<boolean> {
  return (await acquaintance.learn(connection, signal)) && connection.end === null && !signal.aborted
}

// DLE DC4 8: what was sent and is not printed can no longer print.

/**
 * Returns true if the printer answered that its buffers are empty. Then the connection must be queried before it is used. If false, it must
 * not be used at all, because the command may still be waiting in it.
 */
async function clearBuffers(connection: EscposConnection, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  if (!connection.open) return false
  const cleared = connection.dialogue.expectCleared()
  connection.ready = false
  connection.write(CLEAR_BUFFERS)
  const done = await connection.until(cleared, timeoutMs, signal)
  if (done) connection.unconfirmed = false
  return done
}

// The frame of a document in ESC/POS: initialization before it, the proving query after it.
interface EscposFrameOptions extends Omit<FramedTicket, 'documentBytes'> {
  profile: PrinterProfile
  capability: PrinterCapability | null
  /** The expected answer to GS I 67. Null: not known. */
  model: string | null
}

/** The answers so far that prove a ticket. */
interface Proof {
  isComplete: () => boolean
  answers?: () => number
}

/** Created right before the attempt. The query is registered on the connection when it is written. */
function escposFrame(connection: EscposConnection, options: EscposFrameOptions): DocumentFrame {
  const { profile, capability, attemptId, model } = options
  const method = bestMethod(capability)
  const processId = processIdOf(attemptId)
  let proof: Proof = { isComplete: () => false }
  return {
    method,
    head: preamble(profile, capability?.asb ?? false),
    tail: confirmQuery(method, processId),
    asking: () => {
      proof = expectAnswer(connection, method, { processId, model })
    },
    answered: () => proof.isComplete(),
    answers: () => proof.answers?.() ?? 0,
    outlastsTrouble: () => method === 'gs-paren-h' && connection.dialogue.idCameInPeace,
    pushesStatus: capability?.asb ?? false,
    answersStatus: capability?.dleEot ?? false,
    isKnownToAnswer: capability !== null,
    goOn: RECOVER_AND_GO_ON,
  }
}

function expectAnswer(
  { dialogue }: EscposConnection,
  method: ConfirmMethod,
  { processId, model }: { processId: string; model: string | null },
): Proof {
  switch (method) {
    case 'gs-paren-h':
      return { isComplete: dialogue.expectProcessId(processId) }
    case 'gs-i':
      return { isComplete: dialogue.expectModel(model) }
    case 'gs-r':
      return dialogue.expectPaperRow(paperCountOf(processId))
    case 'star-etb':
    case 'person':
    case 'dle-eot':
    case 'none':
      return { isComplete: () => false }
  }
}
