// What a caller can press: each digit with its name and what happens.
import { Button } from '@mantine/core'
import { setupWords } from '#cloud/web/messages/receptionist-setup.ts'
import { TextAreaField } from '#cloud/web/parts/text-area-field.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'
import { ChoiceField, TextField } from '#shared/ui/parts/fields.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import type { SectionProps } from './setup-draft.ts'
import { freeDigits, type MenuDeed, type MenuRow } from './setup-draft.ts'

const DEEDS: readonly MenuDeed[] = ['say', 'transfer', 'voicemail', 'order', 'table']

export function SetupMenu({ draft: { menu }, set }: SectionProps) {
  const t = usePageWords(setupWords)
  const [nextDigit] = freeDigits(menu)
  const change = (at: number, part: Partial<MenuRow>) =>
    set({ menu: menu.map((row, index) => (index === at ? { ...row, ...part } : row)) })
  return (
    <Part title={t.menu}>
      <p className="soft">{t.menuHint}</p>
      {menu.length > 0 && (
        <ul className="card week">
          {menu.map((row, at) => (
            // Two lines never have one digit, and a line keeps its place.
            // biome-ignore lint/suspicious/noArrayIndexKey: the digit can be changed
            <li key={at} className="stack">
              <div className="menu-entry">
                <ChoiceField
                  name={`profile.menu.${at}.digit`}
                  label={t.digit}
                  value={row.digit}
                  set={(digit) => change(at, { digit })}
                  choices={[row.digit, ...freeDigits(menu)].sort().map((digit) => [digit, digit])}
                />
                <TextField
                  name={`profile.menu.${at}.label`}
                  label={t.label}
                  placeholder={t.labelHint}
                  required
                  maxLength={60}
                  value={row.label}
                  set={(label) => change(at, { label })}
                />
                <ChoiceField
                  name={`profile.menu.${at}.does`}
                  label={t.does}
                  value={row.does}
                  set={(does) => change(at, { does })}
                  choices={DEEDS.map((deed) => [deed, t.deeds[deed]])}
                />
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={t.removeEntry(row.digit)}
                  onClick={() => set({ menu: menu.filter((_, index) => index !== at) })}
                >
                  {t.remove}
                </Button>
              </div>
              {row.does === 'say' && (
                <TextAreaField
                  name={`profile.menu.${at}.say`}
                  label={t.sayText}
                  required
                  rows={2}
                  maxLength={500}
                  value={row.say}
                  set={(say) => change(at, { say: say.replaceAll('\n', ' ') })}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {nextDigit !== undefined && (
        <p>
          <Button
            variant="default"
            size="compact-md"
            onClick={() => set({ menu: [...menu, { digit: nextDigit, label: '', does: 'say', say: '' }] })}
          >
            {t.addEntry}
          </Button>
        </p>
      )}
    </Part>
  )
}
