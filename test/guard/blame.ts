// Names the part behind a crossed limit: profiles of the light and of the crossed state, in runs of their own after the figures were measured.
import { drain } from './drain.ts'
import type { Inspector } from './inspector.ts'
import type { Judged } from './judge.ts'
import type { MeasuredSite } from './measured-site.ts'
import { cpuShares, type Growth, nameGrowth, type Shares, workOf } from './profile-files.ts'
import { inKitchen, type KitchenName, type Kitchens } from './rounds.ts'
import { slice } from './steady.ts'

const PROFILED_ORDERS = 100
const PROFILED_BACKLOG = 600
const DRAIN_CAP_MS = 6_000
const SHOWN = 6
const NOTHING: Shares = new Map()

type ProgramName = 'gateway' | 'relay'
type State = KitchenName | 'short-backlog' | 'backlog'

/** What is to be profiled for a figure: a program in the crossed state, and beside which light one; null: beside nothing. */
interface Question {
  program: ProgramName
  light: State | null
  crossed: State
}

export class Blame {
  readonly #kitchens: Kitchens
  readonly #taken = new Map<string, Shares>()
  /** Figures whose answer is already told, by question. */
  readonly #told = new Map<string, string>()

  constructor(kitchens: Kitchens) {
    this.#kitchens = kitchens
  }

  /** @returns lines that name the files; none: this figure is not one of processor time */
  async of({ name }: Pick<Judged, 'name'>): Promise<string[]> {
    const question = questionOf(name)
    if (!question) return []
    const { program, light, crossed } = question
    const key = `${program} ${light} ${crossed}`
    const told = this.#told.get(key)
    if (told !== undefined) return [`  ${told} (as above)`]
    const before = light === null ? NOTHING : await this.#sharesOf(program, light)
    const after = await this.#sharesOf(program, crossed)
    const where =
      light === null
        ? `${program} in "${crossed}" works ${workOf(after).toFixed(2)} ms an order`
        : `${program} in "${crossed}" works ${workOf(after).toFixed(2)} ms an order, in "${light}" ${workOf(before).toFixed(2)} ms`
    const lines = linesOf(nameGrowth(before, after), where, 'ms')
    this.#told.set(key, lines[0]?.trim() ?? '')
    return lines
  }

  /** Profiles what these figures are compared with, while the kitchen is still light. */
  async prepare(figures: readonly Pick<Judged, 'name'>[]): Promise<void> {
    for (const { name } of figures) {
      const question = questionOf(name)
      if (question?.light) await this.#sharesOf(question.program, question.light)
    }
  }

  async #sharesOf(program: ProgramName, state: State): Promise<Shares> {
    const key = `${program} ${state}`
    const known = this.#taken.get(key)
    if (known) return known
    const shares = await this.#profile(program, state)
    this.#taken.set(key, shares)
    return shares
  }

  #profile(program: ProgramName, state: State): Promise<Shares> {
    if (state === 'backlog' || state === 'short-backlog') {
      const backlog = state === 'backlog' ? PROFILED_BACKLOG : PROFILED_ORDERS
      const drained = (site: MeasuredSite, inspector: Inspector) =>
        drain(site, backlog, DRAIN_CAP_MS, () => inspector.startProfile())
      return withInspector(this.#kitchens.site, program, async (site, inspector) => {
        const { counted } = await drained(site, inspector)
        return cpuShares(await inspector.stopProfile(), site.root, counted)
      })
    }
    return inKitchen(this.#kitchens, state, (kitchen) =>
      withInspector(kitchen, program, async (site, inspector) => {
        await inspector.startProfile()
        const { printed } = await slice(site, PROFILED_ORDERS)
        return cpuShares(await inspector.stopProfile(), site.root, printed)
      }),
    )
  }
}

/** The lines of a growth: the file that it is named after first. */
export function linesOf(rows: readonly Growth[], where: string, unit: 'ms' | 'bytes'): string[] {
  const [named, ...others] = rows
  if (!named)
    return ['  PART: none, no file of the project does much more', `  ${where} (waiting for the disk included)`]
  const row = ({ file, growth, ownGrowth, before }: Growth): string => {
    const from = before === 0 ? '' : `, from ${before.toFixed(2)}`
    return `${file} +${growth.toFixed(2)} ${unit}${from} (without other files that it calls: ${ownGrowth.toFixed(2)})`
  }
  return [
    `  PART: ${named.file}`,
    `  ${where}`,
    `  most of it: ${row(named)}`,
    ...others.slice(0, SHOWN).map((other) => `    within or beside it: ${row(other)}`),
  ]
}

async function withInspector<T>(
  site: MeasuredSite,
  program: ProgramName,
  measure: (site: MeasuredSite, inspector: Inspector) => Promise<T>,
): Promise<T> {
  const inspector = await site[program].inspect()
  try {
    return await measure(site, inspector)
  } finally {
    inspector.close()
  }
}

function questionOf(name: Judged['name']): Question | null {
  switch (name) {
    case 'gateway.quiet':
    case 'first-byte':
      return { program: 'gateway', light: null, crossed: 'quiet' }
    case 'gateway.looking':
      return { program: 'gateway', light: 'quiet', crossed: 'looking' }
    case 'gateway.open':
      return { program: 'gateway', light: 'quiet', crossed: 'open' }
    case 'gateway.open-looking':
      return { program: 'gateway', light: 'quiet', crossed: 'open-looking' }
    case 'relay.quiet':
      return { program: 'relay', light: null, crossed: 'quiet' }
    case 'relay.looking':
      return { program: 'relay', light: 'quiet', crossed: 'looking' }
    case 'relay.open':
      return { program: 'relay', light: 'quiet', crossed: 'open' }
    case 'relay.open-looking':
      return { program: 'relay', light: 'quiet', crossed: 'open-looking' }
    case 'drain.60':
    case 'drain.1000':
    case 'drain.wall':
      return { program: 'gateway', light: 'quiet', crossed: 'backlog' }
    case 'drain.length':
      return { program: 'gateway', light: 'short-backlog', crossed: 'backlog' }
    case 'link.seals':
    case 'heap.gateway':
    case 'heap.relay':
    case 'browser.update':
      return null
  }
}
