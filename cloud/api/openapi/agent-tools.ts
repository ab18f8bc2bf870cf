// The tools of a voice agent, made from the OpenAPI document: served as /docs/agents.json in the form of OpenAI's function calling, and what `ticketrail mcp` offers.
import { type JsonSchema, type OpenApiDocument, type Operation, type Parameter, refName } from './json-schema.ts'

/** What an agent needs of the API and no more: nothing here voids, refunds or changes the menu. */
const OF_AGENTS = ['listSkus', 'checkOrder', 'injectOrder', 'getOrder', 'listOrders'] as const

interface AgentTool {
  type: 'function'
  function: { name: string; description: string; parameters: JsonSchema }
}

/** How a tool's arguments become a call: names in the path are taken from them, the others are the query or the body. */
interface AgentCall {
  method: string
  path: string
  scopes: readonly string[]
}

export interface AgentTools {
  openapi: string
  guide: string
  tools: AgentTool[]
  calls: Record<string, AgentCall>
}

/** Of those operations that the document has. */
export function agentTools(document: OpenApiDocument): AgentTools {
  const server = document.servers[0]?.url ?? ''
  const made = OF_AGENTS.flatMap((operationId) => toolOf(document, operationId))
  return {
    openapi: `${server}/v1/openapi.json`,
    guide: `${server}/docs/guides/voice-agents.md`,
    tools: made.map(({ tool }) => tool),
    calls: Object.fromEntries(made.map(({ tool, call }) => [tool.function.name, call])),
  }
}

function toolOf(document: OpenApiDocument, operationId: string): { tool: AgentTool; call: AgentCall }[] {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId !== operationId) continue
      const { summary, description = '', 'x-scope': scopes = [] } = operation
      const parameters = argumentsOf(operation, document)
      const tool: AgentTool = {
        type: 'function',
        function: { name: operationId, description: `${summary}. ${description}`.trim(), parameters },
      }
      return [{ tool, call: { method: method.toUpperCase(), path, scopes } }]
    }
  }
  return []
}

/** Path, query and body as one object: no name is in two of them. */
function argumentsOf(operation: Operation, document: OpenApiDocument): JsonSchema {
  const given = (operation.parameters ?? []).filter((one): one is Parameter => 'in' in one && one.in !== 'header')
  const body = operation.requestBody?.content['application/json']?.schema
  const ofBody = body === undefined ? {} : whole(body, document)
  const properties = {
    ...Object.fromEntries(
      given.map(({ name, description, schema }) => [
        name,
        { ...whole(schema, document), ...(description && { description }) },
      ]),
    ),
    ...ofBody.properties,
  }
  const required = [...given.filter((one) => one.required).map(({ name }) => name), ...(ofBody.required ?? [])]
  return { type: 'object', properties, required, additionalProperties: false }
}

/** Without references, which function calling does not know. No schema of ours contains itself. */
function whole(schema: JsonSchema, document: OpenApiDocument): JsonSchema {
  const { $ref, ...own } = schema
  if ($ref !== undefined) return { ...whole(document.components.schemas[refName($ref)] ?? {}, document), ...own }
  const many = (list: JsonSchema[] | undefined) => list?.map((one) => whole(one, document))
  const { properties, items, anyOf, oneOf, allOf } = own
  return {
    ...own,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, whole(of, document)])),
    }),
    ...(items && { items: whole(items, document) }),
    ...(anyOf && { anyOf: many(anyOf) ?? [] }),
    ...(oneOf && { oneOf: many(oneOf) ?? [] }),
    ...(allOf && { allOf: many(allOf) ?? [] }),
  }
}
