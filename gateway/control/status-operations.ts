// The gateway's state; the families of printers that it supports.
import { toIso } from '#shared/clock.ts'
import { PROFILES } from '#shared/tickets/printer-profiles.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { latencyChart } from './latency-chart.ts'

const HOUR_MS = 3_600_000

export function statusOperations(
  { about, history, time, fontPacks, boxFacts, printTimes, ...page }: ControlContext,
  handlers: Pick<ControlHandlers, 'printers.list'>,
): Pick<ControlHandlers, 'status' | 'box.figures' | 'profiles' | 'fonts'> {
  return {
    status: async () => {
      // In the first second after a start: so that a caller then gets the fingerprint too.
      await page.httpsSettled()
      const { app, gatewayId, merchantName, ready, link, unreported } = about()
      const { queued, held, parked } = history.counts()
      return {
        app,
        gatewayId,
        merchantName,
        ready,
        pageUrls: page.pageUrls(),
        displayUrls: page.displayUrls(),
        https: page.https(),
        time: toIso(time.now()),
        link: { state: link.state, trouble: link.trouble ?? null, detail: link.detail, since: toIso(link.sinceMs) },
        queue: { queued, held, parked, unreported },
        printers: await handlers['printers.list']({}),
      }
    },

    'box.figures': ({ hours }) => {
      const nowMs = time.now()
      const { disk, memory, clock, temperatureCelsius, storageWearPercent } = boxFacts()
      const figures = { disk, memory, clock, temperatureCelsius, storageWearPercent }
      return { ...figures, latency: latencyChart(printTimes.since(nowMs - hours * HOUR_MS), hours, nowMs) }
    },

    fonts: fontPacks,

    profiles: () =>
      PROFILES.map(({ id, vendor, models, columns, cut, image, kanji, media }) => {
        const labelMm = media.kind === 'label' ? media.heightMm : null
        return { id, vendor, models, columns, cut, image, kanji, labelMm }
      }),
  }
}
