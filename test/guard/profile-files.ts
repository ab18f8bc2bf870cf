// Whose work a processor profile or a heap profile shows, by source file of the project; and which file's share grew most between two. Pure.
import type { CpuProfile, HeapNode } from './inspector.ts'

/** What one file took of a profile, for each order. Milliseconds or bytes. */
export interface Share {
  /** With all that it called: of every sample whose stack holds the file. */
  whole: number
  /** Of samples in which it is the innermost file of the project: its own code and the libraries that it called. */
  own: number
  /** How many other files of the project stand above it on the stack, on average. */
  depth: number
}

/** By path from the project's root; work that no file of the project asked for stands under V8's name in brackets. */
export type Shares = ReadonlyMap<string, Share>

export interface Growth {
  file: string
  /** For each order. */
  before: number
  growth: number
  ownGrowth: number
  depth: number
}

interface Weighed {
  /** From the outermost to the innermost, each once. */
  files: readonly string[]
  weight: number
}

/** A file that holds this part of the largest growth is as good a name for it as the file that called it. */
const HOLDS_NEARLY_ALL = 0.9
/** A file that grew by less than this part of the whole work explains nothing. */
const COUNTS = 0.1

/** @param orders that were handled meanwhile: the shares are milliseconds an order */
export function cpuShares(profile: CpuProfile, root: string, orders: number): Shares {
  const filesOf = stacksOf(profile, root)
  const us = new Map<number, number>()
  profile.samples.forEach((id, index) => {
    us.set(id, (us.get(id) ?? 0) + (profile.timeDeltas[index] ?? 0))
  })
  const weighed = [...us].map(([id, time]) => ({ files: filesOf.get(id) ?? [], weight: time / 1_000 / orders }))
  return sharesOf(weighed)
}

/** Of what was made while it was sampled and is still in use. */
export function heapShares(head: HeapNode, root: string, orders: number): Shares {
  const weighed: Weighed[] = []
  const walk = (node: HeapNode, above: readonly string[]): void => {
    const files = below(above, node.callFrame, root)
    if (node.selfSize > 0)
      weighed.push({ files: files.length > 0 ? files : ['(outside)'], weight: node.selfSize / orders })
    for (const child of node.children) walk(child, files)
  }
  walk(head, [])
  return sharesOf(weighed)
}

/**
 * The file that a growth is named after. Files that call each other grow alike, and the outermost (a clock, a signal, the composition root)
 * says nothing: of those that hold nearly all of the largest growth it is the one deepest on the stack.
 * @returns the named one first, then what grew within or beside it; files above it are left out. Empty: nothing grew that counts.
 */
export function nameGrowth(before: Shares, after: Shares): Growth[] {
  const rows = growthOf(before, after)
  const files = rows.filter(({ file }) => !file.startsWith('('))
  const most = files[0]?.growth ?? 0
  if (most < COUNTS * workOf(after)) return []
  const alike = files.filter(({ growth }) => growth >= HOLDS_NEARLY_ALL * most)
  const [named] = alike.toSorted((a, b) => b.depth - a.depth)
  return named ? [named, ...rows.filter((row) => !alike.includes(row))] : []
}

/** All of it, for each order. */
export function workOf(shares: Shares): number {
  return [...shares.values()].reduce((sum, { own }) => sum + own, 0)
}

/** What grew, the most first. */
function growthOf(before: Shares, after: Shares): Growth[] {
  const none: Share = { whole: 0, own: 0, depth: 0 }
  const rows = [...after].map(([file, share]): Growth => {
    const was = before.get(file) ?? none
    const growth = share.whole - was.whole
    return { file, before: was.whole, growth, ownGrowth: share.own - was.own, depth: share.depth }
  })
  return rows.filter(({ growth }) => growth > 0).sort((a, b) => b.growth - a.growth)
}

function stacksOf({ nodes }: CpuProfile, root: string): Map<number, readonly string[]> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const found = new Map<number, readonly string[]>()
  const walk = (id: number, above: readonly string[]): void => {
    const node = byId.get(id)
    if (!node) return
    const files = below(above, node.callFrame, root)
    const { functionName } = node.callFrame
    // What V8 does by itself: a collection is the work of nobody in particular.
    found.set(id, files.length === 0 || functionName === '(garbage collector)' ? [bracketed(functionName)] : files)
    for (const child of node.children ?? []) walk(child, files)
  }
  if (nodes[0]) walk(nodes[0].id, [])
  return found
}

function below(above: readonly string[], { url }: { url: string }, root: string): readonly string[] {
  const file = projectFile(url, root)
  return file === null || above.includes(file) ? above : [...above, file]
}

function projectFile(url: string, root: string): string | null {
  const prefix = `file://${root}`
  if (!url.startsWith(prefix)) return null
  const file = url.slice(prefix.length)
  return file.startsWith('node_modules/') ? null : file
}

/** Node's own code without a caller in the project is one thing. */
function bracketed(functionName: string): string {
  return functionName.startsWith('(') ? functionName : '(node)'
}

function sharesOf(weighed: readonly Weighed[]): Shares {
  const shares = new Map<string, Share>()
  for (const { files, weight } of weighed) {
    const innermost = files.at(-1)
    // It waits: no work.
    if (innermost === '(idle)') continue
    files.forEach((file, depth) => {
      const share = shares.get(file) ?? { whole: 0, own: 0, depth: 0 }
      const whole = share.whole + weight
      shares.set(file, {
        whole,
        own: share.own + (file === innermost ? weight : 0),
        depth: whole === 0 ? 0 : (share.depth * share.whole + depth * weight) / whole,
      })
    })
  }
  return shares
}
