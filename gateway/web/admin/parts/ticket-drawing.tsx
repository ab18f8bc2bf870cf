// A ticket as on paper, drawn for its printer's profile or another one.
import { Loader, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import { PaperDrawing } from '#shared/ui/parts/paper-drawing.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

export function TicketDrawing({ ticketId }: { ticketId: string }) {
  const { t } = useSpeech()
  const [profileId, setProfileId] = useState('')
  const profiles = useRead('profiles', {})
  const preview = useRead('jobs.preview', profileId === '' ? { ticketId } : { ticketId, profileId }, { keep: true })
  if (preview.isPending) return <Loader aria-label={t.common.loading} />
  if (!preview.data) return <Problem error={preview.error} />
  const { unprintable } = preview.data
  const warnings = [...preview.data.warnings, ...(unprintable > 0 ? [t.job.unprintable(unprintable)] : [])]
  return (
    <PaperDrawing drawing={preview.data} warnings={warnings} words={t.job}>
      <NativeSelect
        label={t.job.drawnFor}
        value={profileId || preview.data.profileId}
        onChange={({ currentTarget }) => setProfileId(currentTarget.value)}
        data={(profiles.data ?? []).map(({ id, columns }) => ({ value: id, label: `${id} (${columns})` }))}
      />
    </PaperDrawing>
  )
}
