// /docs/agents.json: tools in the form of function calling, whose schemas take the examples of the reference.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderActionRoutes } from '#cloud/api/v1/order-action-routes.ts'
import { skuRoutes } from '#cloud/api/v1/sku-routes.ts'
import { schemaFaults } from '#test/contract/schema-check.ts'
import { type Answered, RelayApi } from '#test/doubles/relay-api.ts'
import type { AgentTools } from './agent-tools.ts'
import { EXAMPLES } from './examples.ts'

let api: RelayApi
let answer: Answered
let agents: AgentTools
beforeAll(async () => {
  api = await RelayApi.open({
    routes: (app, { stores, authorize }) => {
      skuRoutes(app, { ...stores, authorize })
      orderActionRoutes(app, { ...stores, authorize })
    },
  })
  answer = await api.call('GET', '/docs/agents.json', { key: null })
  agents = answer.body
})
afterAll(() => api.close())

describe('the tools of agents', () => {
  test('are public JSON: they list the menu, check, place and read orders, and nothing else', () => {
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(agents.calls).toEqual({
      listSkus: { method: 'GET', path: '/v1/skus', scopes: ['menu:read'] },
      checkOrder: { method: 'POST', path: '/v1/order/check', scopes: ['orders:read'] },
      injectOrder: { method: 'POST', path: '/v1/order/inject', scopes: ['orders:write'] },
      getOrder: { method: 'GET', path: '/v1/order/{serviceOrderId}', scopes: ['orders:read'] },
      listOrders: { method: 'GET', path: '/v1/orders', scopes: ['orders:read'] },
    })
    expect(agents.tools.map((tool) => tool.function.name)).toEqual(Object.keys(agents.calls))
    expect(agents.openapi).toBe('https://relay.example/v1/openapi.json')
  })

  test.each(['listSkus', 'checkOrder', 'injectOrder', 'getOrder', 'listOrders'])(
    '%s has a schema without references that takes the example of the reference and no other field',
    (name) => {
      const { parameters, description } = agents.tools.find((tool) => tool.function.name === name)!.function
      const { method, path } = agents.calls[name]!
      const { params, query, body } = EXAMPLES[`${method} ${path}`]!
      // In a URL everything is text.
      const { limit, ...texts } = query ?? {}
      const example = { ...params, ...texts, ...(limit && { limit: Number(limit) }), ...(body as object | undefined) }
      expect(schemaFaults(example, parameters, {})).toEqual([])
      expect(schemaFaults({ ...example, discount: 1 }, parameters, {})).not.toEqual([])
      expect(schemaFaults({}, parameters, {})).not.toEqual([])
      expect(JSON.stringify(parameters)).not.toContain('$ref')
      expect(description.length).toBeGreaterThan(10)
      // The limit of function calling.
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    },
  )
})
