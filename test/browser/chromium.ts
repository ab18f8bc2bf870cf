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

/** As a restaurant has it. */
export const CHROMIUM = '/usr/bin/chromium'
/** The same engine without what surrounds the pages: the tests take two fifths less processor time. */
const SHELL = '/usr/bin/chromium-headless-shell'

interface LaunchOptions {
  /** SHA-256 of a public key, in base64: its certificate is taken without a warning, whoever vouches for it. */
  trusted?: string
  /** Default: the shell of the same engine, where it is installed. */
  executablePath?: string
}

export function launchChromium({ trusted, executablePath }: LaunchOptions = {}): Promise<Browser> {
  const trust = trusted === undefined ? [] : [`--ignore-certificate-errors-spki-list=${trusted}`]
  return chromium.launch({
    executablePath: executablePath ?? (existsSync(SHELL) ? SHELL : CHROMIUM),
    headless: true,
    args: [...FLAGS, ...trust],
  })
}
