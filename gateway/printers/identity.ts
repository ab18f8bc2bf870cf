// Whether a device is the printer that was set up: by its hardware address and by its own answers. Pure.

import { type DeviceAnswers, type DeviceFacts, LONGEST_ANSWER } from '#shared/printer-identity.ts'
import type { PrinterCapability } from '#shared/printer-profile.ts'
import { bestMethod } from './confirm-ladder.ts'

/** `unknown`: nothing that both sides have can be compared. */
export type Likeness = 'same' | 'other' | 'unknown'

/** In the order in which they distinguish devices. */
const ANSWERS = ['serial', 'model', 'maker'] as const

/**
 * Compares the device at a printer's address with the one that was set up: whatever both have must agree. What `seen`
 * does not have counts as not requested.
 */
export function likeness(known: DeviceFacts, seen: DeviceFacts): Likeness {
  const compared = (['mac', ...ANSWERS] as const).filter((fact) => known[fact] !== null && seen[fact] !== null)
  if (compared.some((fact) => known[fact] !== seen[fact])) return 'other'
  return compared.length === 0 ? 'unknown' : 'same'
}

/** Why a device at another address is not followed without a person. Null: it is certainly the printer. */
export type Doubt = 'other-answers' | 'other-features' | 'other-hardware' | 'no-hardware-address'

/**
 * Whether tickets may follow a printer to a device at another address. The kernel's hardware address and all earlier answers of the printer
 * must agree. If the kernel has no hardware address (another network, another system), serial number and model must: they suffice
 * only together.
 */
export function doubtOf(
  known: DeviceFacts & { capability: PrinterCapability | null },
  seen: DeviceFacts & { capability: PrinterCapability | null },
): Doubt | null {
  if (seen.mac !== null && seen.mac !== known.mac) return 'other-hardware'
  if (ANSWERS.some((answer) => known[answer] !== null && known[answer] !== seen[answer])) return 'other-answers'
  if (bestMethod(known.capability) !== bestMethod(seen.capability)) return 'other-features'
  if (seen.mac === null && (known.serial === null || known.model === null)) return 'no-hardware-address'
  return null
}

/** True if it answers, but lacks answers that the printer gave: a printer does not lose a command. */
export function lacksFeatures(known: PrinterCapability | null, seen: PrinterCapability | null): boolean {
  if (known === null || seen === null) return false
  return (['dleEot', 'gsParenH', 'gsI', 'gsR'] as const).some((feature) => known[feature] && !seen[feature])
}

/** A name in the form for comparing, storing and showing. Null if nothing printable is left. */
export function cleanAnswer(text: string): string | null {
  const clean = text
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, LONGEST_ANSWER)
    .trim()
  return clean === '' ? null : clean
}

export function saysNothing({ maker, model, serial }: DeviceAnswers): boolean {
  return maker === null && model === null && serial === null
}
