// What befalls a site of several relays: each fault ends by itself, and what it hit is free for the next one then.
import { hasFaketime } from './fire-relay.ts'
import type { FireSite } from './fire-site.ts'

/** What a fault keeps for itself: no other one hits it meanwhile. `relay 0`, `database`, `balancer`, `clock 1`. */
type Subject = string

export interface Fault {
  name: string
  /** Of all weights: how often it is chosen. */
  weight: number
  /** @param relay number of the one that it hits */
  hits(relay: number, site: FireSite): readonly Subject[]
  play(site: FireSite, at: { relay: number; random: () => number }): Promise<void>
  /** At any site unless given. */
  isPossible?(site: FireSite): boolean
  /** It goes on while others are played. */
  isLong?: boolean
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const between = (random: () => number, from: number, to: number): number => from + random() * (to - from)
const theRelay = (relay: number): Subject[] => [`relay ${relay}`]
const theDatabase = (): Subject[] => ['database']
const freeze = async (site: FireSite, relay: number, ms: number): Promise<void> => {
  site.relays[relay]?.freeze()
  await sleep(ms)
  site.relays[relay]?.thaw()
}

const LONG_FREEZE_MS = 30_000

const ALL: readonly Fault[] = [
  {
    name: 'a relay is killed and started again',
    weight: 4,
    hits: theRelay,
    play: async (site, { relay }) => {
      await site.relays[relay]?.kill()
      await site.relays[relay]?.start()
    },
  },
  {
    name: 'a relay is frozen',
    weight: 4,
    hits: theRelay,
    play: (site, { relay, random }) => freeze(site, relay, between(random, 1_000, 3_000)),
  },
  {
    name: 'a relay is frozen for 30 s',
    weight: 0.7,
    isLong: true,
    // One at a time: nothing happens while all of them are.
    hits: (relay) => [...theRelay(relay), 'long freeze'],
    play: (site, { relay }) => freeze(site, relay, LONG_FREEZE_MS),
  },
  {
    name: 'the relays are stopped in order and started again, one after the other',
    weight: 2,
    hits: (_, site) => site.relays.flatMap(({ number }) => theRelay(number)),
    play: async (site) => {
      for (const relay of site.relays) {
        await relay.stop()
        await relay.start()
      }
    },
  },
  {
    name: 'the connections between a relay and the database are reset',
    weight: 4,
    hits: theRelay,
    play: async (site, { relay }) => site.relays[relay]?.network.cutAll(),
  },
  {
    name: 'a relay cannot reach the database',
    weight: 3,
    hits: theRelay,
    play: async (site, { relay, random }) => {
      await site.relays[relay]?.network.refuse(true)
      await sleep(between(random, 300, 2_000))
      await site.relays[relay]?.network.refuse(false)
    },
  },
  {
    name: 'nothing passes between a relay and the database, and nobody is told',
    weight: 2,
    hits: theRelay,
    play: async (site, { relay, random }) => {
      site.relays[relay]?.network.blackHole(true)
      await sleep(between(random, 500, 3_000))
      site.relays[relay]?.network.blackHole(false)
    },
  },
  {
    name: 'nothing passes between a relay and the database for 10 s',
    weight: 0.5,
    isLong: true,
    hits: theRelay,
    play: async (site, { relay }) => {
      site.relays[relay]?.network.blackHole(true)
      await sleep(10_000)
      site.relays[relay]?.network.blackHole(false)
    },
  },
  {
    name: 'the database has forgotten the connections of a relay, which is not told',
    weight: 1,
    hits: theRelay,
    play: async (site, { relay }) => site.relays[relay]?.network.halfOpen('target'),
  },
  {
    name: 'the database is killed and started again',
    weight: 3,
    hits: theDatabase,
    play: async (site) => {
      await site.server.kill()
      await site.runServer()
    },
  },
  {
    name: 'the database is stopped in order and started again',
    weight: 2,
    hits: theDatabase,
    play: async (site) => {
      await site.server.stop()
      await site.runServer()
    },
  },
  {
    name: 'the broker that the relays share is killed and started again',
    weight: 3,
    isPossible: ({ broker }) => broker !== null,
    hits: () => ['broker'],
    play: async ({ broker }) => {
      await broker?.kill()
      await broker?.run()
    },
  },
  {
    name: 'everybody goes to one relay',
    weight: 3,
    hits: () => ['balancer'],
    play: async (site, { relay, random }) => {
      site.flip(relay)
      await sleep(between(random, 300, 1_500))
      site.flip(null)
    },
  },
  {
    name: "a relay's clock jumps",
    weight: hasFaketime ? 3 : 0,
    hits: (relay) => [`clock ${relay}`],
    play: async (site, { relay, random }) => {
      site.relays[relay]?.setClock([-60, 0, 60][Math.floor(random() * 3)] ?? 0)
    },
  },
]

/** FIRE_ONLY: those whose name has this in it, to look for what one of them does. */
export const FAULTS = ALL.filter(({ name }) => name.includes(process.env['FIRE_ONLY'] ?? ''))
