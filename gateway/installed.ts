// The folders and files of an installed gateway: the same for the service and for its command line.
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isSea } from 'node:sea'

export type Environment = Readonly<Record<string, string | undefined>>

/** As the Debian package lays it. */
const PROGRAM_FOLDER = '/usr/lib/ticketrail-gateway'
const SETTINGS_FILE = '/etc/default/ticketrail-gateway'
const STATE_FOLDER = '/var/lib/ticketrail-gateway'
const PROOF_FOLDER = '/var/lib/ticketrail-gateway-proof'
/** What `ticketrail-gateway-update` keeps and notes. */
export const UPDATE_FOLDER = '/var/lib/ticketrail-gateway-update'
const PACKAGE_DEFAULTS: Environment = {
  GATEWAY_DATABASE: `${STATE_FOLDER}/gateway.db`,
  GATEWAY_PAIRING_FILE: `${STATE_FOLDER}/pairing.json`,
  GATEWAY_PROOF_FOLDER: PROOF_FOLDER,
  GATEWAY_HTTP_HOST: '0.0.0.0',
  GATEWAY_HTTP_PORT: '80',
  GATEWAY_HTTPS_PORT: '443',
}

/** Whether this is the one executable, as the package installs it. */
export function isInstalled(execPath: string): boolean {
  return isSea() && dirname(execPath) === PROGRAM_FOLDER
}

/** The environment, over the settings file, over the package's defaults. Elsewhere: the environment. */
export function settingsSource(env: Environment, execPath: string): Environment {
  if (!isInstalled(execPath)) return env
  return { ...PACKAGE_DEFAULTS, ...readAssignments(textOf(SETTINGS_FILE)), ...env }
}

/** `NAME=value` lines as systemd reads them: comments and blank lines are skipped, one pair of quotes around a value is taken off. */
export function readAssignments(text: string): Record<string, string> {
  const assignments: Record<string, string> = {}
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^\s*([A-Za-z_][A-Za-z0-9_]*)=(.*?)\s*$/.exec(line) ?? []
    if (name === undefined) continue
    assignments[name] = /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value
  }
  return assignments
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
