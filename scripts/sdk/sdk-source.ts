// The text of shared/sdk/api.ts: every schema of the OpenAPI document, the error codes, and the client's methods.
import {
  type JsonSchema,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Ref,
  refName,
} from '#cloud/api/openapi/json-schema.ts'
import { ERROR_TABLE } from '#shared/errors.ts'
import { OPERATIONS, partsOf } from '#shared/sdk/operations.ts'
import { docText, isPlainObject, typeName, typeText } from './type-text.ts'

export const API_FILE = 'shared/sdk/api.ts'

const HEAD = `// What /v1 takes and answers, and the methods of the client. Made by \`npm run sdk:types\`: not to be edited.
import type { Answer, CallOptions, FileAnswer, List, PrintAnswer } from './answer.ts'
`

const MERCHANT_QUERY = `export interface MerchantQuery {
  /** Without it, the client's. */
  merchantId?: string
}
`

/** @throws Error in plain words when the table of operations and the document differ, or a schema has no type */
export function sdkSource(document: OpenApiDocument): string {
  const methods = Object.entries(OPERATIONS).map(([resource, of]) => ({
    resource,
    methods: Object.entries(of).map(([name, operation]) => found(document, name, operation)),
  }))
  mustBeWhole(document)
  const all = methods.flatMap(({ methods }) => methods)
  const notShown = new Set(all.flatMap(({ isList, answer }) => (isList && answer?.$ref ? [refName(answer.$ref)] : [])))
  return [
    HEAD,
    errorCodes(),
    errorDetails(document),
    ...Object.entries(document.components.schemas)
      .filter(([name]) => !notShown.has(name))
      .map(([name, schema]) => component(name, schema, takesMerchant(name, all))),
    MERCHANT_QUERY,
    ...all.flatMap(queryType),
    ...methods.map(({ resource, methods }) => resourceType(resource, methods)),
    `export interface Resources {\n${methods.map(({ resource }) => `  readonly ${resource}: ${interfaceName(resource)}\n`).join('')}}\n`,
  ].join('\n')
}

interface Method {
  name: string
  isList: boolean
  about: Operation
  query: readonly Parameter[]
  /** Of a success; undefined when it is not JSON. */
  answer: JsonSchema | undefined
  /** Of a list. */
  entry: JsonSchema | undefined
  /** Whether its body has a required field, beside the merchantId. */
  needsBody: boolean
}

/** @throws Error when the document has no such operation, or when the operation takes a merchantId and the table says that it does not */
function found(document: OpenApiDocument, name: string, operation: string): Method {
  const [method, path, isList, isOfAccount] = partsOf(operation)
  const about = document.paths[path]?.[method.toLowerCase()]
  if (about === undefined) throw new Error(`shared/sdk/operations.ts names ${operation}, which the relay does not have`)
  const query = (about.parameters ?? []).filter((of): of is Parameter => 'in' in of && of.in === 'query')
  const body = resolved(document, bodyOf(about))
  const needsMerchant =
    query.some(({ name, required }) => name === 'merchantId' && required) ||
    (body !== undefined && requiredOf(body).has('merchantId'))
  if (needsMerchant === isOfAccount) {
    throw new Error(
      `shared/sdk/operations.ts: ${operation} ${needsMerchant ? 'needs a' : 'does not need a'} merchantId, so ${needsMerchant ? 'remove' : 'add'} "account"`,
    )
  }
  const needsBody =
    (body?.required ?? []).some((field) => field !== 'merchantId') || (body !== undefined && !isPlainObject(body))
  const answer = successOf(about)?.content?.['application/json']?.schema
  const entry = resolved(document, answer)?.properties?.['data']?.items
  if (isList && entry === undefined) throw new Error(`${operation} does not answer a list`)
  return { name, about, query, needsBody, answer, entry, isList }
}

/** @throws Error naming the operations of the document that the client does not have */
function mustBeWhole(document: OpenApiDocument): void {
  const known = new Set(
    Object.values(OPERATIONS).flatMap((of) => Object.values(of).map((text) => partsOf(text).slice(0, 2).join(' '))),
  )
  // A stream is not a call: it goes on.
  const all = Object.entries(document.paths).flatMap(([path, of]) =>
    Object.entries(of).flatMap(([method, about]) => (isStream(about) ? [] : [`${method.toUpperCase()} ${path}`])),
  )
  const missing = all.filter((operation) => !known.has(operation))
  if (missing.length > 0) {
    throw new Error(
      `shared/sdk/operations.ts lacks ${missing.join(', ')}: give each a resource and a method, then npm run sdk:types`,
    )
  }
}

const isStream = (about: Operation): boolean => successOf(about)?.content?.['text/event-stream'] !== undefined

function errorCodes(): string {
  const codes = Object.keys(ERROR_TABLE).map((code) => `  | '${code}'\n`)
  return `/** Every code of an error. More may be added. */\nexport type ErrorCode =\n${codes.join('')}`
}

/** The fields of errors beside those that all errors have: from every error answer of the document. */
function errorDetails(document: OpenApiDocument): string {
  const properties: Record<string, JsonSchema> = {}
  for (const { responses } of operationsOf(document)) {
    for (const { content, 'x-error-codes': codes } of Object.values(responses)) {
      const schema = content?.['application/json']?.schema
      if (codes === undefined || schema === undefined) continue
      for (const { properties: own } of schema.allOf ?? []) Object.assign(properties, own)
    }
  }
  const { code: _ofAll, ...details } = properties
  return `/** What some codes say beside their message. */\nexport interface ErrorDetails ${typeText({ type: 'object', properties: details })}\n`
}

const operationsOf = (document: OpenApiDocument): Operation[] =>
  Object.values(document.paths).flatMap((of) => Object.values(of))

function component(name: string, schema: JsonSchema, isBody: boolean): string {
  const text = typeText(schema, isBody ? { optional: ['merchantId'] } : {})
  const declared = isPlainObject(schema) ? `interface ${typeName(name)} ` : `type ${typeName(name)} = `
  return `${docText(schema.description, '')}export ${declared}${text}\n`
}

/** Whether it is the body of a method: the client fills its own merchantId in. */
function takesMerchant(name: string, methods: readonly Method[]): boolean {
  return methods.some(({ about }) => bodyOf(about)?.$ref === `#/components/schemas/${name}`)
}

const bodyOf = ({ requestBody }: Operation): JsonSchema | undefined => requestBody?.content['application/json']?.schema

const successOf = ({ responses }: Operation) =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]

function resolved(document: OpenApiDocument, schema: JsonSchema | undefined): JsonSchema | undefined {
  return schema?.$ref === undefined ? schema : document.components.schemas[refName(schema.$ref)]
}

function requiredOf(schema: JsonSchema): Set<string> {
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return new Set([...(schema.required ?? []), ...parts.flatMap((part) => [...requiredOf(part)])])
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const interfaceName = (resource: string): string => `${capital(resource)}Resource`

/** Of the fields that only name the merchant there is one type for all. */
function queryName(method: Method): string {
  const isPlain = fieldsOf(method).every(({ name }) => name === 'merchantId')
  return isPlain ? 'MerchantQuery' : `${capital(method.about.operationId)}Query`
}

/** The fields of a GET or DELETE, but for the first id of its path. */
function fieldsOf({ query, about }: Method): Parameter[] {
  const [, ...furtherIds] = idsOf(about)
  return [...furtherIds, ...query]
}

const idsOf = ({ parameters = [] }: Operation): Parameter[] =>
  parameters.filter((of: Parameter | Ref): of is Parameter => 'in' in of && of.in === 'path')

function queryType(method: Method): string[] {
  const fields = fieldsOf(method)
  if (bodyOf(method.about) !== undefined || fields.length === 0 || queryName(method) === 'MerchantQuery') return []
  const properties = Object.fromEntries(
    fields.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
  )
  const required = fields.filter(({ required, name }) => required && name !== 'merchantId').map(({ name }) => name)
  return [`export interface ${queryName(method)} ${typeText({ type: 'object', properties, required })}\n`]
}

function resourceType(resource: string, methods: readonly Method[]): string {
  const lines = methods.map((method) => `${docText(methodDoc(method), '  ')}  ${signature(method)}\n`)
  return `export interface ${interfaceName(resource)} {\n${lines.join('')}}\n`
}

function methodDoc({ about }: Method): string {
  const scope = about['x-scope'] ? ` Scope: \`${about['x-scope']}\`.` : ''
  const sandbox = about['x-sandbox-only'] ? ' Sandbox keys only.' : ''
  return `${about.summary}.${scope}${sandbox}${about.description === undefined ? '' : `\n\n${about.description}`}`
}

function signature(method: Method): string {
  const [id] = idsOf(method.about)
  const args = [...(id === undefined ? [] : [`${id.name}: string`]), ...fieldsArgument(method), 'options?: CallOptions']
  return `${method.name}(${args.join(', ')}): ${answerType(method)}`
}

function fieldsArgument(method: Method): string[] {
  const body = bodyOf(method.about)
  const isNeeded = fieldsOf(method).some(({ required, name }) => required && name !== 'merchantId')
  if (body === undefined) {
    return [
      fieldsOf(method).length === 0
        ? 'fields?: Record<string, never>'
        : `fields${isNeeded ? '' : '?'}: ${queryName(method)}`,
    ]
  }
  return [`fields${method.needsBody ? '' : '?'}: ${typeText(body)}`]
}

function answerType({ about, isList, answer, entry }: Method): string {
  if (answer === undefined)
    return `Promise<Answer<${successOf(about)?.content === undefined ? 'object' : 'FileAnswer'}>>`
  if (isList) return `List<${typeText(entry ?? {})}>`
  const text = typeText(answer)
  const prints = Object.values(about.responses).some(({ 'x-error-codes': codes }) => codes?.includes('printer.offline'))
  return `Promise<${prints ? 'PrintAnswer' : 'Answer'}<${text}>>`
}
