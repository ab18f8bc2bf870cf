// Another device where a printer was, or one at another address that may be it: a person decides, with both side by side. Pure.
import type { PrinterAnswer, RepairAnswer } from './answers.ts'
import type { DeviceAnswer } from './device-answers.ts'
import { repair } from './repair.ts'

export function deviceRepairs({ printerId, name, identity }: PrinterAnswer): RepairAnswer[] {
  const { known, found } = identity
  if (found === null) return []
  const isHere = found.host === known.host && found.port === known.port
  const key = isHere ? 'printer-other' : 'printer-elsewhere'
  const sides = `Known: ${deviceWords(known)}. Found: ${deviceWords(found)}.`
  return [
    repair(key, {
      id: `${key}:${printerId}`,
      severity: isHere ? 'error' : 'warning',
      title: isHere ? `Another printer seems to stand where ${name} was` : `${name} may have another address`,
      text: isHere
        ? `${sides} If the printer was replaced, accept the new one: its tickets print there at once. If not, look which device has its address, or whether it hangs: switch it off and on.`
        : `${sides} Either not all of it agrees, or both answer, so its tickets do not follow by themselves. Look at the device; accept it only if it is yours.`,
      values: { printer: name, known: deviceWords(known), found: deviceWords(found) },
      fix: {
        operation: 'printers.accept',
        input: { printer: printerId, deviceId: found.deviceId },
        label: 'Accept the device that was found',
      },
    }),
  ]
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
