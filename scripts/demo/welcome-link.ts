// The link by which the demo's owner signs in to the dashboard: made by the operator's line of the running relay.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const answer = z.object({ link: z.url() })

interface WelcomeOptions {
  /** The project's folder. */
  root: string
  /** The relay's own settings: its admin socket follows from them. */
  env: Readonly<Record<string, string | undefined>>
  accountId: string
  signal: AbortSignal
}

/** `http://localhost:8080/dashboard#welcome=...`, good once within a day. Null when the relay made none. */
export async function welcomeLink({ root, env, accountId, signal }: WelcomeOptions): Promise<string | null> {
  const line = [join(root, 'cloud', 'main.ts'), 'admin', 'users', 'welcome', '--account', accountId, '--json']
  try {
    const { stdout } = await promisify(execFile)(process.execPath, line, {
      cwd: root,
      env: { ...process.env, ...env },
      signal,
    })
    return answer.parse(JSON.parse(stdout)).link
  } catch {
    // The announcement names the dashboard without it, and its sign-in shows what is wrong.
    return null
  }
}
