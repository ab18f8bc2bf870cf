// How a document goes out in ESC/POS: initialisation before it, the question that proves it after it.
import type { ConfirmMethod } from '#shared/print-job.ts'
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import { bestMethod, confirmQuery, processIdOf } from './confirm-ladder.ts'
import { preamble, RECOVER_AND_GO_ON } from './escpos-commands.ts'
import type { EscposConnection } from './escpos-dialogue.ts'
import type { DocumentFrame, FramedTicket } from './printer-language.ts'

export interface EscposFrameOptions extends Omit<FramedTicket, 'documentBytes'> {
  profile: PrinterProfile
  capability: PrinterCapability | null
}

/** Made right before the attempt. The question is noted on the connection when it is written. */
export function escposFrame(connection: EscposConnection, options: EscposFrameOptions): DocumentFrame {
  const { profile, capability, attemptId } = options
  const method = bestMethod(capability)
  const processId = processIdOf(attemptId)
  let answered = (): boolean => false
  return {
    method,
    head: preamble(profile, capability?.asb ?? false),
    tail: confirmQuery(method, processId),
    asking: () => {
      answered = expectAnswer(connection, method, processId)
    },
    answered: () => answered(),
    outlastsTrouble: () => method === 'gs-paren-h' && connection.dialogue.idCameInPeace,
    pushesStatus: capability?.asb ?? false,
    answersStatus: capability?.dleEot ?? false,
    isKnownToAnswer: capability !== null,
    goOn: RECOVER_AND_GO_ON,
  }
}

function expectAnswer(connection: EscposConnection, method: ConfirmMethod, processId: string): () => boolean {
  switch (method) {
    case 'gs-paren-h':
      return connection.dialogue.expectProcessId(processId)
    case 'gs-i':
      return connection.dialogue.expect('model')
    case 'gs-r':
      return connection.dialogue.expect('paper')
    case 'star-etb':
    case 'person':
    case 'dle-eot':
    case 'none':
      return () => false
  }
}
