// A ticket as it stands on paper. The drawing is shown as a picture, not as markup of this page: whatever is inside can neither run nor link.
import { Button, Group, Loader, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import { Problem } from '#shared/ui/parts/problem.tsx'

export function TicketDrawing({ ticketId }: { ticketId: string }) {
  const { t } = useSpeech()
  const [profileId, setProfileId] = useState('')
  const [view, setView] = useState<'paper' | 'text' | 'bytes'>('paper')
  const profiles = useRead('profiles', {})
  const preview = useRead('jobs.preview', profileId === '' ? { ticketId } : { ticketId, profileId }, { keep: true })
  if (preview.isPending) return <Loader aria-label={t.common.loading} />
  if (!preview.data) return <Problem error={preview.error} />
  const { svg, text, operations, unprintable } = preview.data
  const warnings = [...preview.data.warnings, ...(unprintable > 0 ? [t.job.unprintable(unprintable)] : [])]
  return (
    <div className="drawing">
      <Group align="end">
        <NativeSelect
          label={t.job.drawnFor}
          value={profileId || preview.data.profileId}
          onChange={({ currentTarget }) => setProfileId(currentTarget.value)}
          data={(profiles.data ?? []).map(({ id, columns }) => ({ value: id, label: `${id} (${columns})` }))}
        />
        <Button.Group>
          {(['paper', 'text', 'bytes'] as const).map((one) => (
            <Button
              key={one}
              variant={view === one ? 'filled' : 'default'}
              aria-pressed={view === one}
              onClick={() => setView(one)}
            >
              {t.job.views[one]}
            </Button>
          ))}
        </Button.Group>
      </Group>
      {warnings.length > 0 && (
        <ul className="plain warn">
          {warnings.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      {view === 'paper' && (
        <figure>
          <img src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`} alt={text.trim().slice(0, 2_000)} />
          <figcaption>{t.job.drawingNote}</figcaption>
        </figure>
      )}
      {view === 'text' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached with the keyboard
        <pre className="paper-text" tabIndex={0}>
          {text}
        </pre>
      )}
      {view === 'bytes' && <Bytes operations={operations} />}
    </div>
  )
}

interface Operation {
  offset: number
  length: number
  name: string
  detail: string
}

function Bytes({ operations }: { operations: readonly Operation[] }) {
  const { t } = useSpeech()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached with the keyboard
    <section className="scroll tall" tabIndex={0} aria-label={t.job.views.bytes}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.job.offset}</th>
            <th scope="col">{t.job.length}</th>
            <th scope="col">{t.job.command}</th>
          </tr>
        </thead>
        <tbody>
          {operations.map(({ offset, length, name, detail }) => (
            <tr key={offset}>
              <td className="number">{offset}</td>
              <td className="number">{length}</td>
              <td>
                <code>{name}</code> {detail}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
