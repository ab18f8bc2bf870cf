// Another device where a printer was, or one at another address that may be it: a person decides, with both side by side. Pure.

import { saysNothing } from '#gateway/printers/identity.ts'
import type { PrinterAnswer, RepairAnswer } from './answers.ts'
import type { DeviceAnswer, IdentityAnswer } from './device-answers.ts'
import { repair } from './repair.ts'

const WORDS = {
  'printer-quieter': {
    title: (name: string) => `${name} does not answer as it used to`,
    advice:
      "It has this printer's hardware address, but does not say its name any more. Switch it off and on. Accept it only if its settings were changed: it then prints with the proof that it has now.",
  },
  'printer-other': {
    title: (name: string) => `Another printer seems to stand where ${name} was`,
    advice:
      'If the printer was replaced, accept the new one: its tickets print there at once. If not, look which device has its address, or whether it hangs: switch it off and on.',
  },
  'printer-elsewhere': {
    title: (name: string) => `${name} may have another address`,
    advice:
      'Either not all of it agrees, or both answer, so its tickets do not follow by themselves. Look at the device; accept it only if it is yours.',
  },
}

export function deviceRepairs({ printerId, name, identity }: PrinterAnswer): RepairAnswer[] {
  const { known, found } = identity
  if (found === null) return []
  const key = kindOf(identity)
  const { title, advice } = WORDS[key]
  const sides = { known: sideWords(known), found: sideWords(found) }
  return [
    repair(key, {
      id: `${key}:${printerId}`,
      severity: key === 'printer-elsewhere' ? 'warning' : 'error',
      title: title(name),
      text: `Known: ${sides.known}. Found: ${sides.found}. ${advice}`,
      values: { printer: name, ...sides },
      fix: {
        operation: 'printers.accept',
        input: { printer: printerId, deviceId: found.deviceId },
        label: 'Accept the device that was found',
      },
    }),
  ]
}

/** It stands where the printer stood and has its hardware address, and does not say its name: the printer itself, with other settings, or it hangs. */
export function isQuieter({ known, found }: IdentityAnswer): boolean {
  if (found === null || found.mac === null || found.mac !== known.mac) return false
  return found.host === known.host && found.port === known.port && saysNothing(found)
}

function kindOf(identity: IdentityAnswer): keyof typeof WORDS {
  const { known, found } = identity
  if (isQuieter(identity)) return 'printer-quieter'
  return found?.host === known.host && found.port === known.port ? 'printer-other' : 'printer-elsewhere'
}

/** With the family in whose way its tickets are laid out. */
function sideWords(device: DeviceAnswer & { profileId: string }): string {
  return `${deviceWords(device)}, ${device.profileId}`
}

/** In one line, in the words that stand on the device itself. */
export function deviceWords({ host, port, mac, maker, model, serial, level }: DeviceAnswer): string {
  const said = [maker, model].filter((part) => part !== null).join(' ')
  const facts = [
    said === '' ? '?' : said,
    `S/N ${serial ?? '?'}`,
    `MAC ${mac ?? '?'}`,
    level ?? 'L?',
    port === 0 ? host : `${host}:${port}`,
  ]
  return facts.join(', ')
}
