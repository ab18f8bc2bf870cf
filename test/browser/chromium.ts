// Debian's chromium, as a person beside the box has it: plain http by the box's names, nothing fetched from outside.
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { type Browser, chromium } from 'playwright-core'

/** The machine's name, and the name that the box tells by mDNS: by these the page is no secure context, as in a restaurant; by 127.0.0.1 it would be one. */
export const BOX_NAME = hostname()
export const BOX_LOCAL_NAME = `${hostname().toLowerCase()}.local`

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--host-resolver-rules=MAP ${BOX_NAME} 127.0.0.1, MAP ${BOX_LOCAL_NAME} 127.0.0.1`,
]

export const CHROMIUM = '/usr/bin/chromium'
/** The same engine without what surrounds a page, for less processor time. A page that fills the screen is never let out of it. */
const SHELL = '/usr/bin/chromium-headless-shell'

/** As a kitchen has it. */
export const launchChromium = (): Promise<Browser> => launch(CHROMIUM)

/**
 * For pages that never fill the screen: those of the technician, the dashboard and the docs.
 * @param trusted SHA-256 of a public key, in base64: its certificate is taken without a warning, whoever vouches for it
 */
export function launchShell(trusted?: string): Promise<Browser> {
  const trust = trusted === undefined ? [] : [`--ignore-certificate-errors-spki-list=${trusted}`]
  return launch(existsSync(SHELL) ? SHELL : CHROMIUM, trust)
}

const launch = (executablePath: string, more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, headless: true, args: [...FLAGS, ...more] })
