// The settings of a screen: name, kind, stations, language, backup printer. For a new one and for changes.
import { Checkbox } from '@mantine/core'
import type { DisplayAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { isLanguage } from '#shared/languages.ts'
import { LanguageField, NameField, NumberField } from '#shared/ui/parts/fields.tsx'
import { PrinterField } from './printer-field.tsx'
import { PurposeFields } from './purpose-fields.tsx'
import { type ScreenPurpose, screenKindOf, screenOf } from './screen-purpose.ts'

/** The values of the form. */
export interface DisplayDraft extends ScreenPurpose {
  name: string
  /** Only of a pick-up board. */
  showNames: boolean
  language: string
  /** Empty: none. */
  backupPrinter: string
  /** Seconds; empty: never. */
  buzzAfter: string
}

export function displayDraftOf(display: DisplayAnswer): DisplayDraft {
  const { name, stations, language, backupPrinterId, buzzAfterS, showNames } = display
  return {
    ...{ name, kind: screenKindOf(display), stations, another: '', showNames, language },
    backupPrinter: backupPrinterId ?? '',
    buzzAfter: buzzAfterS === null ? '' : String(buzzAfterS),
  }
}

/** What is sent of it: nothing that its kind does not have. */
export function displayOf({ name, showNames, language, backupPrinter, buzzAfter, ...purpose }: DisplayDraft) {
  const { kind, stations } = screenOf(purpose)
  const isKitchen = kind === 'kitchen'
  return {
    ...{ name, kind, stations },
    ...(isLanguage(language) ? { language } : {}),
    backupPrinter: !isKitchen || backupPrinter === '' ? null : backupPrinter,
    buzzAfterS: !isKitchen || buzzAfter === '' ? null : Number(buzzAfter),
    showNames: kind === 'pick-up' && showNames,
  }
}

export function DisplayFields({ draft, set }: { draft: DisplayDraft; set: (part: Partial<DisplayDraft>) => void }) {
  const { t } = useSpeech()
  const { kind } = draft
  return (
    <>
      <NameField label={t.displays.name} value={draft.name} set={(name) => set({ name })} />
      <PurposeFields purpose={draft} set={set} />
      <LanguageField label={t.settings.language} value={draft.language} set={(language) => set({ language })} />
      {kind === 'pick-up' && (
        <Checkbox
          label={t.displays.showNames}
          description={t.displays.showNamesHint}
          checked={draft.showNames}
          onChange={({ currentTarget }) => set({ showNames: currentTarget.checked })}
        />
      )}
      {(kind === 'station' || kind === 'expo') && <WhileSilent draft={draft} set={set} />}
    </>
  )
}

function WhileSilent({ draft, set }: { draft: DisplayDraft; set: (part: Partial<DisplayDraft>) => void }) {
  const { t } = useSpeech()
  return (
    <>
      <PrinterField
        name="backupPrinter"
        label={t.displays.backup}
        description={t.displays.backupHint}
        none={t.displays.noBackup}
        value={draft.backupPrinter}
        set={(backupPrinter) => set({ backupPrinter })}
      />
      {draft.backupPrinter !== '' && (
        <NumberField
          name="buzzAfterS"
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
