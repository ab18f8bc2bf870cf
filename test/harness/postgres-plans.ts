// The queries that a piece of work makes on PostgreSQL, each with the plan that a named statement has in the long run, and what it reads.
import { Client } from 'pg'
import { vi } from 'vitest'

export interface PostgresPlan {
  sql: string
  /** `Index Scan using orders_recent`, `Seq Scan on orders`, `Sort` and the like, from the outside in. */
  nodes: string[]
  /** Tables that are read from their beginning to their end. */
  wholeTables: string[]
  /** Rows that were looked at otherwise, also those that did not fit. */
  rowsRead: number
  /** Pages of 8 kB. */
  pagesRead: number
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

interface Query {
  text: string
  values: readonly unknown[]
}

/** Plans of all different queries of `work`, with the values that came last. @param url of the database that they are for */
export async function postgresPlans(url: string, work: () => Promise<unknown>): Promise<PostgresPlan[]> {
  const queries = await queriesOf(work)
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set plan_cache_mode = force_generic_plan')
    const plans: PostgresPlan[] = []
    for (const query of queries) plans.push(await planOf(client, query))
    return plans
  } finally {
    await client.end()
  }
}

async function queriesOf(work: () => Promise<unknown>): Promise<Query[]> {
  const query = vi.spyOn(Client.prototype, 'query')
  try {
    await work()
    const byText = new Map<string, Query>()
    for (const [asked] of query.mock.calls as unknown as [string | Partial<Query>][]) {
      if (typeof asked === 'string' || asked.text === undefined) continue
      if (/^\s*(select|insert|update|delete|with)/i.test(asked.text))
        byText.set(asked.text, { text: asked.text, values: asked.values ?? [] })
    }
    return [...byText.values()]
  } finally {
    query.mockRestore()
  }
}

/** What it changes is undone. */
async function planOf(client: Client, { text, values }: Query): Promise<PostgresPlan> {
  await client.query('begin')
  try {
    await client.query(`prepare asked as ${text}`)
    const literals = values.map((value) => literal(client, value)).join(', ')
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, buffers, format json) execute asked${literals === '' ? '' : `(${literals})`}`,
    )
    const root = rows[0]!['QUERY PLAN'][0].Plan
    const nodes = [...all(root)]
    const reads = nodes.filter((node) => / Scan$/.test(node['Node Type']) && node['Node Type'] !== 'Subquery Scan')
    return {
      sql: text,
      nodes: nodes.map(nameOf),
      wholeTables: reads.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'] ?? ''),
      rowsRead: reads.filter((node) => node['Node Type'] !== 'Seq Scan').reduce((sum, node) => sum + rowsOf(node), 0),
      pagesRead: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
    }
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
}

function literal(client: Client, value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `array[${value.map((one) => literal(client, one)).join(', ')}]`
  return typeof value === 'number' ? String(value) : client.escapeLiteral(String(value))
}

function* all(node: PlanNode): Generator<PlanNode> {
  yield node
  for (const child of node.Plans ?? []) yield* all(child)
}

function nameOf(node: PlanNode): string {
  const { 'Node Type': type, 'Index Name': index, 'Relation Name': table } = node
  if (index !== undefined) return `${type} using ${index}`
  return table === undefined ? type : `${type} on ${table}`
}

function rowsOf(node: PlanNode): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = node
  return node['Actual Loops'] * (node['Actual Rows'] + filtered + rechecked)
}
