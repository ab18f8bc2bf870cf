// Searching the network for printers, and identifying the device at one address.
import type { DiscoveryView } from '#gateway/discovery/discovery.ts'
import type { Identity } from '#gateway/printers/identify-printer.ts'
import { suggestProfile } from '#gateway/printers/suggest-profile.ts'
import { toIso } from '#shared/clock.ts'
import type { IdentifyAnswer } from './answers.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { DiscoverAnswer } from './device-answers.ts'
import type { IdentifiedDevices } from './identified-devices.ts'
import { placesOf, standsAt } from './printer-places.ts'
import { requirePrinter } from './printer-view.ts'

type Operations = Pick<ControlHandlers, 'discover.start' | 'discover.results' | 'discover.stop' | 'printers.identify'>

export function discoveryOperations(context: ControlContext, identified: IdentifiedDevices): Operations {
  const { discovery, printers, queue, addresses, clock } = context
  const answer = (): DiscoverAnswer => answerOf(discovery.view, context)
  return {
    'discover.start': () => {
      discovery.begin(placesOf(queue.printers()))
      return answer()
    },

    'discover.results': async ({ seen, waitMs }) => {
      if (answer().seen <= seen && discovery.view.state === 'running') await changeOrTimeout(discovery, clock, waitMs)
      return answer()
    },

    'discover.stop': async () => {
      await discovery.cancel()
      return answer()
    },

    'printers.identify': async ({ printer, host, port, allowAddress }) => {
      const known = printer === undefined ? null : requirePrinter(context, printer)
      const address = known ? { host: known.host, port: known.port } : { host: host ?? '', port }
      if (address.host === '')
        throw new ControlRefusal('invalid', 'name a printer, or an address as host', {
          errors: [{ field: 'host', message: 'must be filled in', rule: { key: 'required', limit: null } }],
        })
      const isAllowed = allowAddress === true
      if (!known && !isAllowed) await addresses.check(address)
      const there = queue.printers().filter((one) => standsAt(one, address.host))
      const ours = there.find(({ printerId }) => printers.find(printerId)?.settings.connection === 'exclusive')
      if (ours)
        throw new ControlRefusal(
          'refused',
          `The gateway keeps the connection of ${ours.name} open: printers show tells what it answers.`,
          { said: { key: 'printer.kept-open', values: { printer: ours.name } } },
        )
      const identity = await context.identify({ ...address, isAllowed })
      identified.note(address, identity)
      return identityOf(identity, address, discovery.macOf(identity.peer ?? address.host))
    },
  }
}

async function changeOrTimeout(
  { changed }: ControlContext['discovery'],
  clock: ControlContext['clock'],
  waitMs: number,
): Promise<void> {
  const woken = new AbortController()
  const stop = changed.subscribe(() => woken.abort())
  await clock.sleep(waitMs, woken.signal)
  stop()
}

/** `seen` counts what can only grow in a run: devices, what is known of each, and the end. */
function answerOf(
  { run, state, startedAtMs, endedAtMs, networks, printers }: DiscoveryView,
  context: ControlContext,
): DiscoverAnswer {
  const iso = (ms: number | null): string | null => (ms === null ? null : toIso(ms))
  const known = context.printers.all()
  const views = context.queue.printers()
  const words = printers.reduce(
    (sum, { methods, mac, claimedMac }) => sum + methods.length + ((mac ?? claimedMac) ? 2 : 1),
    0,
  )
  return {
    run,
    state,
    startedAt: iso(startedAtMs),
    endedAt: iso(endedAtMs),
    networks: [...networks],
    printers: printers.map(({ methods, ...found }) => ({
      ...found,
      methods: [...methods],
      printer:
        (
          views.find((view) => standsAt(view, found.address)) ??
          known.find(({ settings }) => found.mac !== null && settings.mac === found.mac)
        )?.name ?? null,
      suggestedProfileId: found.model === null ? null : suggestProfile(makerBy(methods), found.model).profileId,
    })),
    seen: words + (state === 'running' ? 0 : 1),
  }
}

/** Many other makers' printers answer Epson's question, so it names no maker. */
function makerBy(methods: readonly string[]): string {
  return methods.includes('star') ? 'Star' : ''
}

function identityOf(identity: Identity, address: { host: string; port: number }, mac: string | null): IdentifyAnswer {
  const nothing = {
    ...address,
    maker: null,
    model: null,
    serial: null,
    mac,
    suggestedProfileId: null,
    confirm: null,
    reasons: [],
  }
  switch (identity.kind) {
    case 'unreachable':
      return { ...nothing, answer: 'unreachable', reasons: [identity.reason], words: identity.hint }
    case 'silent':
      return {
        ...nothing,
        answer: 'silent',
        suggestedProfileId: identity.suggestion.profileId,
        confirm: identity.level,
        words: identity.hint,
      }
    case 'printer':
      return {
        ...nothing,
        answer: 'identified',
        maker: identity.maker,
        model: identity.model,
        serial: identity.serial,
        suggestedProfileId: identity.suggestion.profileId,
        confirm: identity.level,
        reasons: [...identity.reasons],
        words: identity.hint,
      }
  }
}
