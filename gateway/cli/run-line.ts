// The gateway's command line: what its lines get to work with. Opens nothing of the gateway's itself.
import type { OperationBody, OperationName } from '#gateway/control/operations.ts'
import { text } from '#shared/cli/command.ts'
import { runLine as runAnyLine, type Streams } from '#shared/cli/run-line.ts'
import { gatewayProgram } from './all-commands.ts'
import type { Command, Line } from './command.ts'
import { callControl } from './control-client.ts'

export interface CommandLine extends Streams, Pick<Line, 'socketPath' | 'page' | 'updateFolder'> {
  args: readonly string[]
  /** How the program is called, such as `ticketrail-gateway`. */
  program: string
}

/** Runs one line; `socketPath` is where the gateway listens unless --socket says otherwise. @returns the exit code, one of EXIT */
export function runLine({ args, program, write, writeError, ...place }: CommandLine): Promise<number> {
  return runAnyLine<Line, Command>(gatewayProgram(program), {
    args,
    write,
    writeError,
    lineOf: (line): Line => {
      const socketPath = text(line, 'socket') ?? place.socketPath
      const call = <N extends OperationName>(name: N, body: OperationBody<N>) =>
        callControl(socketPath, name, body) as ReturnType<Line['call']> as never
      return { ...line, ...place, socketPath, call }
    },
  })
}
