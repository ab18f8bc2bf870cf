// The programs of this tree beside those of the tree of the limits, in turns, each in the same kitchens: what both do beside the floor swings
// with the floor, whose orders are so cheap that what else the machine does shows in them. Beside the same work it does not.
import { type Judged, reachedInTurns } from './judge.ts'
import type { FigureName } from './limits.ts'
import { asPrinted } from './load.ts'
import { Lookers } from './lookers.ts'
import { MeasuredSite } from './measured-site.ts'
import { calm, fill, inKitchen, KITCHENS, type KitchenName, type Kitchens, OPEN_ORDERS, SLICE } from './rounds.ts'
import { type Slice, slice, unprinted } from './steady.ts'

/** Orders of each tree before the first turn. */
const WARM_UP = 3_000
const WARM_UP_CAP_MS = 30_000
const ALL_KITCHENS: readonly KitchenName[] = [...KITCHENS.empty, ...KITCHENS.full]

interface Pair {
  ours: Slice[]
  reference: Slice[]
}

type Pairs = Record<KitchenName, Pair>

interface PairOptions {
  /** Checkouts, each with a slash at its end. */
  ours: string
  reference: string
  rounds: number
  crowd: Parameters<typeof Lookers.of>[1]
  said: (text: string) => void
}

type Kitchen = Omit<Kitchens, 'floor'>

/**
 * @returns what the tree of the limits reaches, for each of these figures that is one of the kitchens
 * @throws Error when orders of either tree were not printed, or a display saw nothing
 */
export async function inTurns(figures: readonly Judged[], options: PairOptions): Promise<Judged[]> {
  const pairs = await measurePairs(options)
  return figures.flatMap((figure) => {
    const column = columnOf(figure.name)
    if (!column) return []
    const { ours, reference } = pairs[column.kitchen]
    const samples = (slices: readonly Slice[]): number[] => slices.map((one) => one[column.value])
    return [reachedInTurns(figure, samples(ours), samples(reference))]
  })
}

function columnOf(name: FigureName): { kitchen: KitchenName; value: 'gatewayMs' | 'relayMs' | 'firstByteMs' } | null {
  if (name === 'first-byte') return { kitchen: 'quiet', value: 'firstByteMs' }
  const [program, kitchen] = name.split('.')
  const known = ALL_KITCHENS.find((one) => one === kitchen)
  if (known === undefined || (program !== 'gateway' && program !== 'relay')) return null
  return { kitchen: known, value: `${program}Ms` }
}

async function measurePairs({ ours, reference, rounds, crowd, said }: PairOptions): Promise<Pairs> {
  const kitchens: Kitchen[] = []
  try {
    for (const root of [ours, reference]) {
      const site = await MeasuredSite.start(root)
      kitchens.push({ site, lookers: await Lookers.of(site, crowd) })
      // A program that has been in use: its code is compiled.
      await asPrinted(site, WARM_UP, WARM_UP_CAP_MS)
      await calm(site)
    }
    said('both trees are warm')
    const pairs: Pairs = { quiet: none(), looking: none(), open: none(), 'open-looking': none() }
    for (const names of [KITCHENS.empty, KITCHENS.full]) {
      if (names === KITCHENS.full) for (const { site } of kitchens) await fill(site, OPEN_ORDERS)
      for (let round = 0; round < rounds; round++)
        for (const name of names) await takeTurns(kitchens, { name, pair: pairs[name], isOursFirst: round % 2 === 0 })
      said(`measured in turns: ${names.join(', ')}`)
    }
    const blind = new Set(kitchens.flatMap(({ lookers }) => lookers.blind))
    if (blind.size > 0) throw new Error([...blind].join('; '))
    const slices = Object.values(pairs).flatMap((pair) => [...pair.ours, ...pair.reference])
    const lost = unprinted(slices)
    if (lost > 0) throw new Error(`${lost} orders were not on paper in time`)
    return pairs
  } finally {
    await Promise.all(kitchens.map(({ site }) => site.stop()))
  }
}

function none(): Pair {
  return { ours: [], reference: [] }
}

/** What comes first finds another disk than what comes second, so they change places. */
async function takeTurns(
  [ours, reference]: readonly Kitchen[],
  { name, pair, isOursFirst }: { name: KitchenName; pair: Pair; isOursFirst: boolean },
): Promise<void> {
  const turns = [
    { kitchen: ours, slices: pair.ours },
    { kitchen: reference, slices: pair.reference },
  ]
  for (const { kitchen, slices } of isOursFirst ? turns : turns.reverse())
    if (kitchen) slices.push(await inKitchen(kitchen, name, (site) => slice(site, SLICE)))
}
