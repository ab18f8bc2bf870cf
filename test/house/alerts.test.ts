// Alerts and dashboard: each metric in them is one that the relay tells, each alert has a heading in the runbook, and each metric its line in the documents.
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { RelayMetrics } from '#cloud/metrics/relay-metrics.ts'
import { projectFiles, read } from './source-files.ts'

interface Rule {
  record?: string
  alert?: string
  expr: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
}

const metrics = new RelayMetrics()
metrics.look({
  backlog: { read: async () => undefined },
  unitsWaiting: () => 0,
  gatewaysHere: () => 0,
  wakeUpLagMs: () => null,
  leases: () => [],
})
const REGISTRY = metrics.registry.getMetricsAsArray()
const NAMES = REGISTRY.map(({ name }) => name)
const OURS = NAMES.filter((name) => name.startsWith('ticketrail_'))

const rules = (parse(read('deploy/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
)
const alerts = rules.filter(({ alert }) => alert !== undefined)
const recorded = rules.flatMap(({ record }) => record ?? [])
const dashboard = JSON.parse(read('deploy/grafana.json')) as {
  panels: { id: number; title: string; targets?: { expr: string }[] }[]
}
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

/** Names in a query that are neither told by the relay nor recorded by a rule. */
function strangersIn(query: string): string[] {
  const names = query.replace(/"[^"]*"/g, '').match(/\b(ticketrail[_:]|nodejs_|process_)[\w:]*/g) ?? []
  return names.filter(
    (name) => !NAMES.includes(name.replace(/_(bucket|count|sum)$/, '')) && ![...NAMES, ...recorded].includes(name),
  )
}

/** Bounds that a query names and no bucket has. */
function strangeBoundsIn(query: string): string[] {
  return [...query.matchAll(/(ticketrail_\w+)_bucket\{le=~?"([^"]+)"/g)].flatMap(([, name, bound = '']) => {
    const told = REGISTRY.find((metric) => metric.name === name) as { buckets?: number[] } | undefined
    return told?.buckets?.some((le) => new RegExp(`^(${bound})$`).test(String(le))) ? [] : [`${name} ${bound}`]
  })
}

describe('the alerts', () => {
  it('use only metrics that the relay exports', () => {
    expect(rules.length).toBeGreaterThan(20)
    expect(rules.flatMap(({ expr }) => strangersIn(expr))).toEqual([])
    expect(rules.flatMap(({ expr }) => strangeBoundsIn(expr))).toEqual([])
  })

  it('lead each to its heading in the runbook, and no heading is left over', () => {
    const headings = [...read('docs/runbook.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
    expect(headings.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted())
    for (const { alert = '', annotations, labels } of alerts) {
      expect(annotations?.['runbook']).toBe(`docs/runbook.md#${alert.toLowerCase()}`)
      expect(['page', 'ticket']).toContain(labels?.['severity'])
    }
  })

  it('have a runbook whose queries and log lines are the relay’s own', () => {
    const quoted = [...read('docs/runbook.md').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
    expect(quoted.flatMap(strangersIn)).toEqual([])
    const sources = projectFiles('.ts').filter((path) => path.startsWith('cloud/') && !path.endsWith('.test.ts'))
    const source = sources.map(read).join('\n')
    const lines = quoted.filter((text) => /^([a-z]+ ){2}[a-z ’']+$/.test(text))
    expect(lines.length).toBeGreaterThan(6)
    expect(lines.filter((line) => !source.includes(line))).toEqual([])
  })

  it('check each target by both burn rates', () => {
    for (const target of ['availability', 'inject', 'webhook', 'paper']) {
      const of = alerts.filter(({ expr }) => expr.includes(`ticketrail:${target}:`)).map(({ expr }) => expr)
      expect(of).toEqual([
        expect.stringMatching(/failed_1h > 14\.4 \* 0\.\d+ and .*failed_5m > 14\.4 /),
        expect.stringMatching(/failed_6h > 6 \* 0\.\d+ and .*failed_30m > 6 /),
      ])
    }
  })
})

describe('the dashboard', () => {
  it('uses only metrics that the relay exports, and shows each of them', () => {
    expect(queries.flatMap(strangersIn)).toEqual([])
    const shown = [...queries, ...rules.map(({ expr }) => expr)].join('\n')
    expect(OURS.filter((name) => !shown.includes(name))).toEqual([])
  })

  it('gives each panel a number of its own', () => {
    const ids = dashboard.panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

it('docs/metrics.md explains each metric with its labels, and no other', () => {
  const rows = [...read('docs/metrics.md').matchAll(/^\| `(\w+)` \| (.*?) \|/gm)]
  const documented = rows.map(([, name = '', labels = '']) => ({
    name,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
  }))
  const told = REGISTRY.filter(({ name }) => name.startsWith('ticketrail_')).map((metric) => ({
    name: metric.name.replace('ticketrail_', ''),
    labels: [...((metric as unknown as { labelNames: string[] }).labelNames ?? [])],
  }))
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)
  expect(documented.toSorted(byName)).toEqual(told.toSorted(byName))
})
