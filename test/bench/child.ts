// A bench's own child program: started with node, read until its one JSON line of ports, killed at the end.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { killAtExit } from './until-exit.ts'

const HERE = new URL('./', import.meta.url).pathname

export interface BenchChild {
  ports: Readonly<Record<string, number>>
  pid: number
  stop(): Promise<void>
}

/** Starts `file` of this folder and resolves with the first line of JSON that it prints. */
export async function childWithPorts(file: string, args: readonly string[]): Promise<BenchChild> {
  const child = spawn(process.execPath, [join(HERE, file), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  killAtExit(child)
  const ports = await new Promise<Record<string, number>>((resolve, reject) => {
    const lines = createInterface({ input: child.stdout })
    lines.once('line', (text) => {
      resolve(JSON.parse(text))
      // Read on for ever, or the pipe fills and the child stands still; unparsed, as `Program` does.
      lines.close()
      child.stdout.resume()
    })
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
  })
  return {
    ports,
    pid: child.pid ?? 0,
    /** @throws when it had ended by itself: what was measured beside it was not measured */
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`${file} ${args[0] ?? ''} had ended with ${child.exitCode ?? child.signalCode}`)
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}
