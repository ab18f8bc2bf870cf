// The repairs list of this box, as of now.
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { repairsOf } from './repairs.ts'

/** A shift, so that who comes in the evening is told of the noon. */
const UNPRINTABLE_MS = 12 * 3_600_000
const MOST_UNPRINTABLE = 5

export function repairOperations(
  { about, alarms, box, clock, history, time }: ControlContext,
  handlers: Pick<ControlHandlers, 'printers.list' | 'displays.list'>,
): Pick<ControlHandlers, 'repairs.list'> {
  return {
    'repairs.list': async () =>
      repairsOf({
        // The link's times are on this clock.
        nowMs: clock.now(),
        link: about().link,
        printers: await handlers['printers.list']({}),
        displays: await handlers['displays.list']({}),
        timeZone: box.settings().timeZone,
        alarms: alarms(),
        unprintable: history.withUnprintable(time.now() - UNPRINTABLE_MS, MOST_UNPRINTABLE),
      }),
  }
}
