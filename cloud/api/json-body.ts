// Reads JSON bodies: UTF-8 only, no deep nesting, no __proto__. What it refuses is 400 or 415 in the API's own shape.
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '#shared/errors.ts'
import type { App } from './app.ts'
import { InvalidRequest } from './zod-schema.ts'

/** Our deepest request has 4 levels. */
const MAX_DEPTH = 16
const CHARSET = /;\s*charset=\s*"?([^\s;"]+)/i

/** Replaces fastify's JSON parser and takes away its text parser. */
export function useStrictJson(app: App): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.decorateRequest('bodyBytes', 0)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1]
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
      return done(new ServiceError('request.unsupported_media_type', { message: 'Send the body in UTF-8.' }))
    }
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
      return done(new ServiceError('request.unsupported_media_type', { message: 'Send the body uncompressed.' }))
    }
    const bytes = body as Buffer
    request.bodyBytes = bytes.length
    // As if it were not there: many HTTP clients name a type also with an empty DELETE. A route that needs a body refuses it.
    if (bytes.length === 0) return done(null)
    if (deeperThan(bytes, MAX_DEPTH))
      return done(new ServiceError('request.malformed', { message: `The JSON is nested deeper than ${MAX_DEPTH}.` }))
    let text: string
    try {
      text = utf8.decode(bytes)
    } catch {
      return done(new ServiceError('request.malformed', { message: 'The body is not valid UTF-8.' }))
    }
    void parseJson(request as FastifyRequest, text, (error: Error | null, value?: unknown) => {
      if (error) done(new ServiceError('request.malformed', { cause: error }))
      // Null means to fastify that there was no body.
      else if (value === null) done(new InvalidRequest([{ field: 'body', message: 'must be an object' }]))
      else done(null, value)
    })
  })
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Whether brackets outside strings nest deeper than `limit`. Looks at bytes, so it costs nothing beside parsing. */
export function deeperThan(bytes: Uint8Array, limit: number): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (inString) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (byte === 0x5b || byte === 0x7b) {
      depth++
      if (depth > limit) return true
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return false
}
