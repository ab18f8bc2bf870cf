// A printer's settings as they stand in a form, all text, and what of it is sent. Pure.
import type { PrinterAnswer } from '#gateway/control/answers.ts'
import type { OperationBody } from '#gateway/control/operations.ts'
import type { PaperType, PrinterSettings } from '#shared/printer-settings.ts'

export const PAPERS: readonly PaperType[] = ['kitchen', 'receipt', 'label']

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
  beeps: string
  /** Empty: none. */
  backupPrinterId: string
  backupAfterSeconds: string
  doubt: PrinterSettings['doubt']
  connection: PrinterSettings['connection']
}

export function draftOf({ name, host, port, profileId, stations, isDefault, settings }: PrinterAnswer): PrinterDraft {
  return {
    name,
    host,
    port: String(port),
    profileId,
    stations: stations.join(', '),
    isDefault,
    papers: settings.papers,
    split: settings.split,
    copies: String(settings.copies),
    columns: settings.columns === null ? '' : String(settings.columns),
    beeps: String(settings.beeps),
    backupPrinterId: settings.backupPrinterId ?? '',
    backupAfterSeconds: String(Math.round(settings.backupAfterMs / 1_000)),
    doubt: settings.doubt,
    connection: settings.connection,
  }
}

export function changeOf(draft: PrinterDraft): Omit<OperationBody<'printers.update'>, 'printer'> {
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
      columns: draft.columns.trim() === '' ? null : Number(draft.columns),
      beeps: Number(draft.beeps),
      backupPrinterId: draft.backupPrinterId === '' ? null : draft.backupPrinterId,
      backupAfterMs: Number(draft.backupAfterSeconds) * 1_000,
      doubt: draft.doubt,
      connection: draft.connection,
    },
  }
}

/** Also with the commas of Chinese keyboards. */
export function stationsOf(text: string): string[] {
  return [...new Set(text.split(/[,，、;]/).map((one) => one.trim()))].filter((one) => one !== '')
}
