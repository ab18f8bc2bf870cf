// The progress of the set-up guide, stored on the box: another phone continues where this one stopped.
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'

export function guideOperations({
  box,
}: Pick<ControlContext, 'box'>): Pick<ControlHandlers, 'guide.get' | 'guide.put'> {
  return {
    'guide.get': () => box.guide(),
    'guide.put': ({ done, leftOut, added }, { by } = { by: '' }) => {
      const known = box.guide().leftOut
      const named = leftOut?.map(({ kind, id }) => {
        const before = known.find((one) => one.kind === kind && one.id === id)
        return { kind, id, by: before?.by ?? by }
      })
      return box.changeGuide({ done, leftOut: named, added })
    },
  }
}
