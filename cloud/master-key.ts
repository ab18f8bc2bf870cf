// The master key from a file, as systemd's credentials and container secrets hand it over, instead of from the environment.
import { readFileSync } from 'node:fs'
import { isOpenToEverybody } from '#shared/certificate/certificate-files.ts'
import { codeOf } from '#shared/code-of.ts'
import { ConfigError } from '#shared/settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The settings with CLOUD_MASTER_KEY read from CLOUD_MASTER_KEY_FILE, if that is set. @throws ConfigError */
export function withMasterKey(env: Environment): Environment {
  const file = env['CLOUD_MASTER_KEY_FILE']
  if (!file) return env
  if (env['CLOUD_MASTER_KEY'])
    throw new ConfigError('CLOUD_MASTER_KEY and CLOUD_MASTER_KEY_FILE are both set: leave one of them out.')
  if (isOpenToEverybody(file))
    throw new ConfigError(
      `CLOUD_MASTER_KEY_FILE ${file} is open to every user of this machine: chmod 600 it. If others may have read it, its secrets are no longer secret.`,
    )
  const key = textOf(file).trim()
  if (key === '') throw new ConfigError(`CLOUD_MASTER_KEY_FILE ${file} is empty: put the master key into it.`)
  return { ...env, CLOUD_MASTER_KEY: key }
}

const ADVICE: Readonly<Record<string, string>> = {
  EACCES: ': let the user that this program runs as read it.',
  EISDIR: ': it is a folder. Name the file in it.',
  ENOENT:
    ': there is no such file. Put the master key there, the one that the database was made with, or correct the path. For a new database make one: `(umask 077; openssl rand -base64 32 >FILE)`.',
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const why = codeOf(error) || 'unknown'
    throw new ConfigError(`CLOUD_MASTER_KEY_FILE ${file} cannot be read (${why})${ADVICE[why] ?? '.'}`, {
      cause: error,
    })
  }
}
