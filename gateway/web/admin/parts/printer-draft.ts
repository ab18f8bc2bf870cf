// A printer's settings as texts of a form, and the values that are sent. Pure.
import type { PrinterAnswer } from '#gateway/control/answers.ts'
import type { OperationBody } from '#gateway/control/operations.ts'
import { codePageRows, codePageRowsText } from '#shared/code-page-rows.ts'
import type { PaperType, PrinterSettings } from '#shared/printer-settings.ts'

export const PAPERS: readonly PaperType[] = ['kitchen', 'receipt', 'label']
const SECOND_MS = 1_000
const MINUTE_MS = 60_000

export interface PrinterDraft {
  name: string
  host: string
  port: string
  profileId: string
  /** Separated by commas. */
  stations: string
  isDefault: boolean
  papers: readonly PaperType[]
  split: PrinterSettings['split']
  copies: string
  /** Empty: the profile's. */
  columns: string
  /** `16:windows1252, 18:cp852`; empty: the profile's. */
  codePages: string
  beeps: string
  /** Empty: none. */
  backupPrinterId: string
  backupAfterSeconds: string
  backupDoubtfulSeconds: string
  doubt: PrinterSettings['doubt']
  /** Empty: never. */
  staleAfterMinutes: string
  /** Empty: never. */
  staleAboveTickets: string
  connection: PrinterSettings['connection']
  /** Empty: not known. */
  mac: string
}

/** @param comma between stations, as the page's language writes it */
export function draftOf(
  { name, host, port, profileId, stations, isDefault, settings }: PrinterAnswer,
  comma = ', ',
): PrinterDraft {
  return {
    name,
    host,
    port: String(port),
    profileId,
    stations: stations.join(comma),
    isDefault,
    papers: settings.papers,
    split: settings.split,
    copies: String(settings.copies),
    columns: textOf(settings.columns),
    codePages: settings.codePages === null ? '' : codePageRowsText(settings.codePages),
    beeps: String(settings.beeps),
    backupPrinterId: settings.backupPrinterId ?? '',
    backupAfterSeconds: textOf(settings.backupAfterMs, SECOND_MS),
    backupDoubtfulSeconds: textOf(settings.backupWhenDoubtfulAfterMs, SECOND_MS),
    doubt: settings.doubt,
    staleAfterMinutes: textOf(settings.staleAfterMs, MINUTE_MS),
    staleAboveTickets: textOf(settings.staleAboveTickets),
    connection: settings.connection,
    mac: settings.mac ?? '',
  }
}

/**
 * @param before the initial values: a changed address removes the stored hardware address, unless that was typed too
 * @returns null when its code pages cannot be read
 */
export function changeOf(
  draft: PrinterDraft,
  before: PrinterDraft,
): Omit<OperationBody<'printers.update'>, 'printer'> | null {
  const codePages = draft.codePages.trim() === '' ? null : codePageRows(draft.codePages)
  if (codePages === undefined) return null
  return {
    name: draft.name,
    host: draft.host.trim(),
    port: Number(draft.port),
    profileId: draft.profileId,
    stations: stationsOf(draft.stations),
    ...(draft.isDefault ? { isDefault: true } : {}),
    settings: {
      papers: [...draft.papers],
      split: draft.split,
      copies: Number(draft.copies),
      columns: numberOf(draft.columns),
      codePages,
      beeps: Number(draft.beeps),
      backupPrinterId: draft.backupPrinterId === '' ? null : draft.backupPrinterId,
      backupAfterMs: Number(draft.backupAfterSeconds) * SECOND_MS,
      backupWhenDoubtfulAfterMs: Number(draft.backupDoubtfulSeconds) * SECOND_MS,
      doubt: draft.doubt,
      staleAfterMs: numberOf(draft.staleAfterMinutes, MINUTE_MS),
      staleAboveTickets: numberOf(draft.staleAboveTickets),
      connection: draft.connection,
      ...(draft.mac === before.mac ? {} : { mac: macOf(draft.mac) }),
    },
  }
}

function textOf(value: number | null, unit = 1): string {
  return value === null ? '' : String(Math.round(value / unit))
}

function numberOf(text: string, unit = 1): number | null {
  return text.trim() === '' ? null : Number(text) * unit
}

/** Null: not known. */
function macOf(text: string): string | null {
  const typed = text.trim().toLowerCase().replaceAll('-', ':')
  return typed === '' ? null : typed
}

/** Also with the commas of Chinese and Arabic keyboards. */
export function stationsOf(text: string): string[] {
  return [...new Set(text.split(/[,，、;；،؛]/).map((one) => one.trim()))].filter((one) => one !== '')
}
