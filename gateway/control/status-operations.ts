// What the gateway is and how it stands; the families of printers that it knows.
import { toIso } from '#shared/clock.ts'
import { PROFILES } from '#shared/tickets/printer-profiles.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'

export function statusOperations(
  { about, history, time, fontPacks }: ControlContext,
  handlers: Pick<ControlHandlers, 'printers.list'>,
): Pick<ControlHandlers, 'status' | 'profiles' | 'fonts'> {
  return {
    status: async () => {
      const { app, gatewayId, merchantName, ready, link, unreported } = about()
      const { queued, held, parked } = history.counts()
      return {
        app,
        gatewayId,
        merchantName,
        ready,
        time: toIso(time.now()),
        link: { state: link.state, trouble: link.trouble ?? null, detail: link.detail, since: toIso(link.sinceMs) },
        queue: { queued, held, parked, unreported },
        printers: await handlers['printers.list']({}),
      }
    },

    fonts: fontPacks,

    profiles: () =>
      PROFILES.map(({ id, vendor, models, columns, cut, image }) => ({ id, vendor, models, columns, cut, image })),
  }
}
