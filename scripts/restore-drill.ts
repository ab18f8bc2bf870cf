// The weekly drill of a restore: the newest copy is restored into a scratch folder, looked through, and a real relay is started on it, with one gateway that is ahead of it. Prints RPO and RTO.
//
//   npm run -s restore-drill                       makes a relay of its own, copies it and restores that
//   npm run -s restore-drill -- --from FOLDER      the newest copy of a folder of `admin backup --into`, or one file
//
// CLOUD_MASTER_KEY or CLOUD_MASTER_KEY_FILE: the key of the copy; without it one is made, and the copy's own secrets are not tried.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withMasterKey } from '#cloud/master-key.ts'
import { CopyDrill } from './restore-drill/copy-drill.ts'

/** Without the key of the copy the drill starts without its secrets. @throws when a file was named that cannot be used */
function masterKey() {
  const ofCopy = withMasterKey(process.env)['CLOUD_MASTER_KEY']
  if (ofCopy !== undefined) return { CLOUD_MASTER_KEY: ofCopy }
  return { CLOUD_MASTER_KEY: randomBytes(32).toString('base64'), CLOUD_START_WITHOUT_SECRETS: 'yes' }
}

async function main(): Promise<void> {
  const settings = masterKey()
  const { from } = parseArgs({ options: { from: { type: 'string' } } }).values
  const folder = mkdtempSync(join(tmpdir(), 'ticketrail-restore-drill-'))
  try {
    const { copy, rpoSeconds, rtoSeconds } = await new CopyDrill({ folder, from, settings }).run()
    process.stdout.write(
      `copy ${copy}\nRPO ${rpoSeconds.toFixed(1)} s: a loss now would forget what came since the copy\n`,
    )
    process.stdout.write(`RTO ${rtoSeconds.toFixed(1)} s: from the copy to the first order on paper\n`)
    process.stdout.write('the gateway handed back what the relay had forgotten\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
