// The progress of the guide: the box's data about each step, and the steps that people skipped, kept on the box.
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { lastTestOrder, useFollowed } from './followed-order.ts'
import { type Step, type StepMark, stepMarks } from './steps.ts'

const ASK_EVERY_MS = 3_000

export interface Guide {
  /** False until the box has sent the progress. */
  isKnown: boolean
  marks: Record<Step, StepMark>
  /** A person goes on from this step. */
  pass: (step: Step) => void
}

export function useGuide(): Guide {
  const { topics } = useLive()
  const settings = useRead('settings.get', {})
  const stations = useRead('stations.list', {}, { everyMs: ASK_EVERY_MS })
  const displays = useRead('displays.list', {}, { everyMs: ASK_EVERY_MS })
  const guide = useRead('guide.get', {})
  const put = useChange('guide.put')
  const passed = guide.data?.done ?? []
  const { order } = useFollowed(lastTestOrder())
  const marks = stepMarks({
    ...{ settings: settings.data, displays: displays.data ?? [], stations: stations.data, passed },
    linkState: topics.status['box']?.link.state ?? 'unpaired',
    printers: Object.values(topics.printers),
    isGreen: order?.check.isGreen ?? null,
    troubles: Object.values(topics.findings).filter(({ severity }) => severity !== 'advice').length,
  })
  const pass = (step: Step) => {
    if (guide.data && !passed.includes(step)) put.mutate({ done: [...passed, step] })
  }
  return { isKnown: guide.data !== undefined, marks, pass }
}
