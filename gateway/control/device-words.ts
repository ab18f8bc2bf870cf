// A device in words, and how a found device relates to the known printer. Pure.
import { saysNothing } from '#gateway/printers/identity.ts'
import type { DeviceAnswer, IdentityAnswer } from './device-answers.ts'

/** It is at the printer's address with its hardware address, and does not report its name: the printer itself with other settings, or it hangs. */
export function isQuieter({ known, found }: IdentityAnswer): boolean {
  if (found === null || found.mac === null || found.mac !== known.mac) return false
  return found.host === known.host && found.port === known.port && saysNothing(found)
}

/** `elsewhere`: at another address, where it may be the printer. */
export function kindOfDevice(identity: IdentityAnswer): 'quieter' | 'other' | 'elsewhere' {
  const { known, found } = identity
  if (isQuieter(identity)) return 'quieter'
  return found?.host === known.host && found.port === known.port ? 'other' : 'elsewhere'
}

/** With the family with which its tickets are laid out. */
export function sideWords(device: DeviceAnswer & { profileId: string }): string {
  return `${deviceWords(device)}, ${device.profileId}`
}

/** In one line, in the words on the device itself. */
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
