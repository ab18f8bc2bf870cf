// What the gateway's commands get to work with, and its exit codes.

import type { OperationAnswers } from '#gateway/control/answers.ts'
import type { OperationBody, OperationName } from '#gateway/control/operations.ts'
import { type Command as AnyCommand, type Line as AnyLine, EXIT as SHARED_EXIT } from '#shared/cli/command.ts'

/** What the shell is told; scripts may rely on it. */
export const EXIT = { ...SHARED_EXIT, notRunning: 3, printerFault: 4, relayUnreachable: 5 } as const

export interface Line extends AnyLine {
  /** Asks the running gateway. @throws LineError */
  call: <N extends OperationName>(name: N, body: OperationBody<N>) => Promise<OperationAnswers[N]>
  /** Where the gateway's page is to listen, as it is set. */
  page: { host: string; port: number }
  /** Where the updater notes what it did; null: this gateway was not installed as a package. */
  updateFolder: string | null
  /** The control socket; its folder is the gateway's. */
  socketPath: string
}

export type Command = AnyCommand<Line>
