// What a menu file changes: each item with its fields, before and after.
import type { OperationAnswers } from '#cloud/control/answers.ts'
import { menuWords } from '#cloud/web/messages/menu.ts'
import { moneyWords } from '#cloud/web/parts/orders/order-words.ts'
import { usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { languageFacts } from '#shared/languages.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'

type Taken = OperationAnswers['menu.import']
type Change = Taken['diff']['items'][number]

export function MenuChanges({ taken: { diff, warnings } }: { taken: Taken }) {
  const t = usePageWords(menuWords)
  const { formats } = useSpeech()
  const { added, changed, same, items } = diff
  const unlisted = added + changed - items.length
  return (
    <>
      <p role="status">{added + changed === 0 ? t.nothing : t.diff(added, changed, same)}</p>
      {warnings.length > 0 && (
        <div className="stack">
          <Mark tone="warn">{t.warnings(warnings.length)}</Mark>
          <ul className="plain">
            {warnings.map(({ umsId, field, characters }) => (
              <li key={umsId + field}>{t.warning(umsId, formats.list(characters))}</li>
            ))}
          </ul>
        </div>
      )}
      {items.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section className="menu-changes" aria-label={t.changesList} tabIndex={0}>
          <ul>
            {items.map((change) => (
              <ChangeLine key={change.umsId} change={change} />
            ))}
          </ul>
          {unlisted > 0 && <p className="soft">{t.notListed(unlisted)}</p>}
        </section>
      )}
    </>
  )
}

function ChangeLine({ change: { umsId, name, kind, fields } }: { change: Change }) {
  const t = usePageWords(menuWords)
  const shown = useShown()
  return (
    <li>
      <span>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        <code className="id">{umsId}</code> {kind === 'added' && <Mark tone="ok">{t.isNew}</Mark>}
      </span>
      <dl className="change-fields">
        {fields.map(({ field, before, after }) => (
          <div key={field}>
            <dt>{t.fieldNames[field]}</dt>
            <dd>{kind === 'added' ? shown(field, after) : t.fromTo(shown(field, before), shown(field, after))}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}

function useShown() {
  const t = usePageWords(menuWords)
  const { language } = useSpeech()
  const { merchant } = usePlace()
  return (field: Change['fields'][number]['field'], value: string | number | null): string => {
    if (value === null) return t.nothingThere
    if (field !== 'priceCents' || typeof value !== 'number') return String(value)
    return moneyWords(value / 100, merchant?.currency ?? 'USD', languageFacts(language).locale)
  }
}
