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
  discriminator?: { propertyName: string; mapping: Record<string, string> }
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
  example?: string | number
}

export interface Ref {
  $ref: string
}

/** An example with a name, or a reference to one of the components. */
export type Example = Ref | { summary: string; value: unknown }

export interface MediaType {
  schema: JsonSchema
  example?: unknown
  /** Of an error answer: one for each code. */
  examples?: Record<string, Example>
}

export interface Response {
  description: string
  headers?: Record<string, Ref>
  content?: Record<string, MediaType>
  /** Of an error answer: the codes that it may carry. More may be added in later versions. */
  'x-error-codes'?: string[]
}

export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  /** The scopes that the key needs, all of them; empty: any valid key. */
  'x-scope'?: readonly string[]
  'x-sandbox-only'?: boolean
  security?: Record<string, string[]>[]
  parameters?: (Parameter | Ref)[]
  requestBody?: { required: boolean; content: Record<string, MediaType> }
  responses: Record<string, Response>
}

export interface OpenApiDocument {
  openapi: '3.1.0'
  jsonSchemaDialect: string
  info: {
    title: string
    version: string
    description: string
    contact: { name: string; url: string }
    license: { name: string; identifier: string }
  }
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
    examples: Record<string, Example>
    headers: Record<string, { description: string; schema: JsonSchema }>
    securitySchemes: Record<string, { type: 'http'; scheme: 'bearer'; description: string }>
  }
}

/** The name at the end of `#/components/schemas/Order`. */
export function refName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}
