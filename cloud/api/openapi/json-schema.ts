// The part of JSON Schema 2020-12 that zod makes of our schemas, and of OpenAPI 3.1 that we write. Only what is used is named.

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  title?: string
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  propertyNames?: JsonSchema
  items?: JsonSchema
  enum?: unknown[]
  const?: unknown
  default?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  maxItems?: number
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}

export interface Ref {
  $ref: string
}

export interface MediaType {
  schema: JsonSchema
  example?: unknown
}

export interface Response {
  description: string
  headers?: Record<string, Ref>
  content?: Record<string, MediaType>
  /** Of an error answer: the codes that it may carry. More may be added, so the schema does not list them. */
  'x-error-codes'?: string[]
}

export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  /** The scope that the key needs; null for any valid key. */
  'x-scope'?: string | null
  'x-sandbox-only'?: boolean
  security?: Record<string, string[]>[]
  parameters?: (Parameter | Ref)[]
  requestBody?: { required: boolean; content: Record<string, MediaType> }
  responses: Record<string, Response>
}

export interface OpenApiDocument {
  openapi: '3.1.0'
  jsonSchemaDialect: string
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  security: Record<string, string[]>[]
  tags: { name: string; description: string }[]
  /** By path, then by method in small letters. */
  paths: Record<string, Record<string, Operation>>
  /** What we send to a client's endpoint, by event type. */
  webhooks: Record<string, { post: Operation }>
  components: {
    schemas: Record<string, JsonSchema>
    parameters: Record<string, Parameter>
    headers: Record<string, { description: string; schema: JsonSchema }>
    securitySchemes: Record<string, { type: 'http'; scheme: 'bearer'; description: string }>
  }
}

/** The name at the end of `#/components/schemas/Order`. */
export function refName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}
