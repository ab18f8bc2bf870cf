// What a restaurant decides about one screen: name, stations, language, who prints while it is silent. For a new one and for changes.
import type { DisplayAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { isLanguage } from '#shared/ui/languages.ts'
import { LanguageField, NameField, NumberField, TextField } from '#shared/ui/parts/fields.tsx'
import { stationsOf } from './printer-draft.ts'
import { PrinterField } from './printer-field.tsx'

/** As it stands in the form: all text. */
export interface DisplayDraft {
  name: string
  /** Separated by commas; empty: expo. */
  stations: string
  language: string
  /** Empty: none. */
  backupPrinter: string
  /** Seconds; empty: never. */
  buzzAfter: string
}

export function displayDraftOf({ name, stations, language, backupPrinterId, buzzAfterS }: DisplayAnswer): DisplayDraft {
  const buzzAfter = buzzAfterS === null ? '' : String(buzzAfterS)
  return { name, stations: stations.join(', '), language, backupPrinter: backupPrinterId ?? '', buzzAfter }
}

/** What is sent of it. */
export function displayOf({ name, stations, language, backupPrinter, buzzAfter }: DisplayDraft) {
  return {
    name,
    stations: stationsOf(stations),
    ...(isLanguage(language) ? { language } : {}),
    backupPrinter: backupPrinter === '' ? null : backupPrinter,
    buzzAfterS: buzzAfter === '' ? null : Number(buzzAfter),
  }
}

export function DisplayFields({ draft, set }: { draft: DisplayDraft; set: (part: Partial<DisplayDraft>) => void }) {
  const { t } = useSpeech()
  return (
    <>
      <NameField label={t.displays.name} value={draft.name} set={(name) => set({ name })} />
      <TextField
        label={t.printer.stations}
        description={t.displays.stationsHint}
        value={draft.stations}
        set={(stations) => set({ stations })}
      />
      <LanguageField label={t.settings.language} value={draft.language} set={(language) => set({ language })} />
      <PrinterField
        label={t.displays.backup}
        description={t.displays.backupHint}
        none={t.displays.noBackup}
        value={draft.backupPrinter}
        set={(backupPrinter) => set({ backupPrinter })}
      />
      {draft.backupPrinter !== '' && (
        <NumberField
          label={t.displays.buzzAfter}
          description={t.displays.buzzAfterHint}
          digits={4}
          value={draft.buzzAfter}
          set={(buzzAfter) => set({ buzzAfter })}
        />
      )}
    </>
  )
}
