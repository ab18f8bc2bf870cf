// Shares of files in profiles, and the file that a growth is named after.
import { describe, expect, it } from 'vitest'
import type { CpuProfile } from './inspector.ts'
import { cpuShares, heapShares, nameGrowth, type Shares, workOf } from './profile-files.ts'

const ROOT = '/house/'
const at = (file: string): { functionName: string; url: string } => ({
  functionName: 'f',
  url: `file://${ROOT}${file}`,
})

/** A profile of these stacks, each for some milliseconds. */
function profileOf(stacks: readonly { files: readonly (string | { v8: string })[]; ms: number }[]): CpuProfile {
  const profile: CpuProfile = {
    nodes: [{ id: 1, callFrame: { functionName: '(root)', url: '' }, children: [] }],
    samples: [],
    timeDeltas: [],
  }
  for (const { files, ms } of stacks) {
    let above = profile.nodes[0]
    for (const file of files) {
      const id = profile.nodes.length + 1
      const callFrame = typeof file === 'string' ? at(file) : { functionName: file.v8, url: '' }
      const node = { id, callFrame, children: [] }
      above?.children?.push(id)
      profile.nodes.push(node)
      above = node
    }
    profile.samples.push(above?.id ?? 1)
    profile.timeDeltas.push(ms * 1_000)
  }
  return profile
}

function sharesOf(...rows: [file: string, whole: number, own: number, depth: number][]): Shares {
  return new Map(rows.map(([file, whole, own, depth]) => [file, { whole, own, depth }]))
}

describe('shares of a processor profile', () => {
  it('counts a file for all that it calls, and for its own only what no other file of the project does', () => {
    const profile = profileOf([
      { files: ['shared/clock.ts', 'gateway/board.ts', 'gateway/rows.ts'], ms: 30 },
      { files: ['shared/clock.ts', 'gateway/board.ts', 'node_modules/sql/index.js'], ms: 10 },
    ])
    const shares = cpuShares(profile, ROOT, 10)
    expect(shares.get('shared/clock.ts')).toEqual({ whole: 4, own: 0, depth: 0 })
    expect(shares.get('gateway/board.ts')).toEqual({ whole: 4, own: 1, depth: 1 })
    expect(shares.get('gateway/rows.ts')).toEqual({ whole: 3, own: 3, depth: 2 })
    expect([...shares.keys()]).not.toContain('node_modules/sql/index.js')
    expect(workOf(shares)).toBe(4)
  })

  it('counts a file once however often it is on the stack', () => {
    const shares = cpuShares(profileOf([{ files: ['a.ts', 'b.ts', 'a.ts'], ms: 5 }]), ROOT, 1)
    expect(shares.get('a.ts')?.whole).toBe(5)
    expect(shares.get('b.ts')?.own).toBe(5)
  })

  it('leaves waiting out, and keeps collections and work without a caller apart', () => {
    const profile = profileOf([
      { files: [{ v8: '(idle)' }], ms: 900 },
      { files: ['a.ts', { v8: '(garbage collector)' }], ms: 3 },
      { files: [{ v8: 'onread' }], ms: 2 },
    ])
    const shares = cpuShares(profile, ROOT, 1)
    expect([...shares].map(([file, { whole }]) => [file, whole])).toEqual([
      ['(garbage collector)', 3],
      ['(node)', 2],
    ])
  })
})

describe('shares of a heap profile', () => {
  it('gives what was made to the files on the stack', () => {
    const leaf = { callFrame: at('store.ts'), selfSize: 600, children: [] }
    const head = {
      callFrame: { functionName: '(root)', url: '' },
      selfSize: 50,
      children: [{ callFrame: at('link.ts'), selfSize: 0, children: [leaf] }],
    }
    const shares = heapShares(head, ROOT, 10)
    expect(shares.get('link.ts')).toMatchObject({ whole: 60, own: 0 })
    expect(shares.get('store.ts')).toMatchObject({ whole: 60, own: 60 })
    expect(shares.get('(outside)')?.own).toBe(5)
  })
})

describe('the name of a growth', () => {
  it('is the deepest of the files that hold nearly all of it, not the clock that called it', () => {
    const light = sharesOf(['shared/clock.ts', 1, 0, 0], ['gateway/board.ts', 0.5, 0.2, 1])
    const heavy = sharesOf(
      ['shared/clock.ts', 16, 0, 0],
      ['gateway/board.ts', 15.4, 3, 1],
      ['gateway/rows.ts', 7, 7, 2],
    )
    const [named, ...others] = nameGrowth(light, heavy)
    expect(named).toMatchObject({ file: 'gateway/board.ts', before: 0.5 })
    expect(named?.growth).toBeCloseTo(14.9)
    expect(others.map(({ file }) => file)).toEqual(['gateway/rows.ts'])
  })

  it('is a file of the project also when the collector grew most', () => {
    const heavy = sharesOf(['(garbage collector)', 9, 9, 0], ['a.ts', 5, 5, 0])
    expect(nameGrowth(new Map(), heavy).map(({ file }) => file)).toEqual(['a.ts', '(garbage collector)'])
  })

  it('is none when no file grew by a part of the work that counts', () => {
    const light = sharesOf(['a.ts', 10, 10, 0])
    expect(nameGrowth(light, sharesOf(['a.ts', 10.5, 10.5, 0]))).toEqual([])
    expect(nameGrowth(light, light)).toEqual([])
  })
})
