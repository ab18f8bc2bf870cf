// doctor, welcome, update: the box as a whole.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { renderUnicodeCompact } from 'uqr'
import type { StatusAnswer } from '#gateway/control/answers.ts'
import { LineError } from '#shared/cli/command.ts'
import { table } from '#shared/cli/terminal.ts'
import { type Command, EXIT, type Line } from './command.ts'
import { type Check, checksOf, exitCodeOf } from './doctor.ts'
import { boxWithoutGateway, relayChecks } from './doctor-probes.ts'

const UPDATES_SHOWN = 10

export const boxCommands: readonly Command[] = [
  {
    name: 'doctor',
    usage: '',
    summary: 'Check every part of the box, and say what to do; works also when the gateway does not run',
    options: { offline: { text: 'Do not try the way to the relay' } },
    examples: ['', '--json', '--offline'],
    run: async (line) => {
      const { checks, exitCode } = await examine(line)
      const rows = checks.map(({ name, result, text }) => [result.toUpperCase(), name, text])
      return { data: checks, text: table(['result', 'part', 'found'], rows, ''), exitCode }
    },
  },
  {
    name: 'welcome',
    usage: '',
    summary: 'Show the address of the page with its QR code, and the set-up code of its first user',
    options: { 'without-code': { text: 'Leave the code out, for output that goes to a log' } },
    examples: [''],
    run: welcome,
  },
  {
    name: 'update',
    usage: '[now]',
    summary: 'Show the last updates; `update now` looks for one and installs it at once',
    options: {},
    examples: ['', 'now'],
    run: async (line) => {
      if (line.words[0] === 'now') return wantUpdate(line)
      if (line.words[0] !== undefined) throw new LineError('say "now", or nothing', EXIT.usage)
      const file = join(updateFolderOf(line), 'log')
      const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-UPDATES_SHOWN) : []
      return { data: lines, text: lines.join('\n') || 'No update yet.' }
    },
  },
]

async function examine(line: Line): Promise<{ checks: Check[]; exitCode: number }> {
  const { call, options } = line
  try {
    const facts = {
      status: await call('status', {}),
      findings: (await call('health.list', {})).findings,
      figures: await call('box.figures', {}),
      pairing: await call('pairing.show', {}),
      displays: await call('displays.list', {}),
      users: await call('users.list', {}),
    }
    const { relay, link } = facts.pairing
    const isTried = relay !== null && link.state === 'connecting' && options['offline'] !== true
    const checks = [...checksOf(facts), ...(isTried ? await relayChecks(relay) : [])]
    return { checks, exitCode: exitCodeOf(checks) }
  } catch (error) {
    if (!(error instanceof LineError) || error.exitCode !== EXIT.notRunning) throw error
    return { checks: await boxWithoutGateway(line), exitCode: EXIT.notRunning }
  }
}

async function welcome({ call, options }: Line): ReturnType<Command['run']> {
  const { printers, pageUrls: urls, https } = await call('status', {})
  // Refused once there is a first user: then nobody needs it.
  const isTold = options['without-code'] !== true
  const code = isTold
    ? await call('admin.setup-code', {}).then(
        (answer) => answer.code,
        () => null,
      )
    : null
  const [first] = urls
  const lines = [
    'Ticketrail runs. Go on in a browser, on a phone or a computer in the same network:',
    ...urls.map((url) => `  ${url}`),
    ...(first === undefined ? ['  (this machine has no address in a network yet)'] : [renderUnicodeCompact(first)]),
    ...httpsLines(https),
    ...(code === null ? [] : [`Set-up code of the first user: ${code}`]),
    ...(isTold ? [] : ['The set-up code of the first user: sudo ticketrail-gateway welcome']),
    printersWords(printers.length),
  ]
  return {
    data: { urls, fingerprint: https.certificate?.fingerprint ?? null, setupCode: code },
    text: lines.join('\n'),
  }
}

function printersWords(count: number): string {
  if (count === 0) return 'Next: the page looks for printers.'
  return count === 1 ? '1 printer is set up.' : `${count} printers are set up.`
}

/** What the browser will warn of, and by what the right certificate is known. */
function httpsLines({ state, fault, certificate }: StatusAnswer['https']): string[] {
  if (fault !== null) return [`The page does not answer https: ${fault}.`]
  if (state !== 'on' || certificate === null) return []
  if (certificate.source === 'provided')
    return ['The certificate was put in by the owner. Its SHA-256 fingerprint:', `  ${certificate.fingerprint}`]
  return [
    'The browser will warn, because this box made its certificate itself. Go on only if its SHA-256 fingerprint is:',
    `  ${certificate.fingerprint}`,
  ]
}

/** What the updater notes there: systemd/ticketrail-gateway-update. @throws LineError */
function updateFolderOf({ updateFolder }: Line): string {
  if (updateFolder !== null && existsSync(updateFolder)) return updateFolder
  throw new LineError('this gateway was not installed as a package: update it as it was installed')
}

/** The updater runs as root and waits for this file; the gateway itself may not install anything. */
function wantUpdate(line: Line): Awaited<ReturnType<Command['run']>> {
  updateFolderOf(line)
  try {
    writeFileSync(join(dirname(line.socketPath), 'update-wanted'), '')
  } catch (error) {
    const why = error instanceof Error ? error.message : ''
    throw new LineError(`only root and the gateway's own user may ask for an update (${why})`)
  }
  return { data: { wanted: true }, text: 'The updater starts now. Follow it with: ticketrail-gateway update' }
}
