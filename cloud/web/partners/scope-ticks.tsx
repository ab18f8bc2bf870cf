// What a partner may do, as boxes to tick; each with the name that the API gives it.
import { Checkbox } from '@mantine/core'
import { partnersWords } from '#cloud/web/messages/partners.ts'
import { usePageWords } from '#cloud/web/speech.tsx'

/** As the relay names them: the words of the page have one for each. */
export type ScopeName = keyof typeof ORDER

const ORDER = {
  'orders:read': 0,
  'orders:write': 1,
  'menu:read': 2,
  'menu:write': 3,
  'webhooks:manage': 4,
  'printers:control': 5,
} as const

export const SCOPE_NAMES = Object.keys(ORDER) as ScopeName[]

interface ScopeTicksProps {
  label: string
  /** Those that can be ticked. */
  of?: readonly ScopeName[]
  value: readonly ScopeName[]
  set: (value: ScopeName[]) => void
}

export function ScopeTicks({ label, of = SCOPE_NAMES, value, set }: ScopeTicksProps) {
  const t = usePageWords(partnersWords)
  return (
    <fieldset>
      <legend>{label}</legend>
      {of.map((scope) => (
        <Checkbox
          key={scope}
          label={
            <>
              {t.scopes[scope]} <code className="soft">{scope}</code>
            </>
          }
          checked={value.includes(scope)}
          onChange={({ currentTarget: { checked } }) =>
            set(SCOPE_NAMES.filter((name) => (name === scope ? checked : value.includes(name))))
          }
        />
      ))}
    </fieldset>
  )
}
