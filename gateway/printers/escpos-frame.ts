// How a document goes out in ESC/POS: initialisation before it, the question that proves it after it.
import type { ConfirmMethod } from '#shared/print-job.ts'
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import { bestMethod, confirmQuery, processIdOf } from './confirm-ladder.ts'
import { preamble, RECOVER_AND_GO_ON } from './escpos-commands.ts'
import type { EscposConnection } from './escpos-dialogue.ts'
import { paperCountOf } from './paper-count.ts'
import type { DocumentFrame, FramedTicket } from './printer-language.ts'

export interface EscposFrameOptions extends Omit<FramedTicket, 'documentBytes'> {
  profile: PrinterProfile
  capability: PrinterCapability | null
  /** Its answer to GS I 67; null: not known. */
  model: string | null
}

/** What has come of the answers that prove a ticket. */
interface Proof {
  isComplete: () => boolean
  answers?: () => number
}

/** Made right before the attempt. The question is noted on the connection when it is written. */
export function escposFrame(connection: EscposConnection, options: EscposFrameOptions): DocumentFrame {
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
