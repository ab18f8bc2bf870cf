// Reads JSON bodies: UTF-8 only, no deep nesting, few different names, no field twice, no __proto__. What it refuses is 400, 415 or 422 in the API's own shape.
import { randomInt } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '#shared/errors.ts'
import type { App } from './app.ts'
import { InvalidRequest } from './zod-schema.ts'

/** Our deepest request has 4 levels. */
const MAX_DEPTH = 16
/** Different names of fields in one body. Our requests have 40; each further one costs a microsecond and more, and a body has room for 33,000. */
export const MOST_NAMES = 1_000
const UTF8 = new TextDecoder('utf-8', { fatal: true })
const CHARSET = /;\s*charset=\s*"?([^\s;"]+)/i

/**
 * Takes the bytes of a body that has come, before any work on it. @returns nothing: the body is read; a promise: when it is fulfilled. It may
 * refuse.
 */
export type TakeBody = (request: FastifyRequest) => Promise<void> | undefined

/** Replaces fastify's JSON parser and takes away its text parser. */
export function useStrictJson(app: App, takeBody: TakeBody): void {
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
    const read = () => {
      let value: unknown
      try {
        value = strictJson(bytes)
      } catch (refusal) {
        return done(refusal as Error)
      }
      done(null, value)
    }
    const taken = takeBody(request)
    if (taken === undefined) read()
    else taken.then(read, done)
  })
}

/**
 * The value of a body.
 * @throws ServiceError request.malformed (400): nested too deep, too many names, no UTF-8, no JSON; InvalidRequest (422), with the path of the field: a name
 * occurs twice in one object, or is one with which JavaScript changes what an object is
 */
export function strictJson(bytes: Uint8Array): unknown {
  const fields = countFields(bytes, MAX_DEPTH)
  if (fields === TOO_DEEP)
    throw new ServiceError('request.malformed', { message: `The JSON is nested deeper than ${MAX_DEPTH}.` })
  if (fields === TOO_MANY)
    throw new ServiceError('request.malformed', {
      message: `The JSON has more than ${MOST_NAMES.toLocaleString('en-US')} different names of fields.`,
    })
  let text: string
  try {
    text = UTF8.decode(bytes)
  } catch {
    throw new ServiceError('request.malformed', { message: 'The body is not valid UTF-8.' })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ServiceError('request.malformed', { cause: error })
  }
  // Null means to fastify that there was no body.
  if (typeof value !== 'object' || value === null)
    throw new InvalidRequest([{ field: 'body', message: 'must be an object' }])
  const kept = keptFields(value)
  if (kept !== fields) throw new InvalidRequest([refusedName(text)])
  return value
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const TOO_DEEP = -1
const TOO_MANY = -2

/** Odd, and nobody outside knows it: names are not made to look equal. */
const MIX = randomInt(2 ** 31) * 2 + 1

/**
 * The number of fields of all objects of a JSON text together, TOO_DEEP, or TOO_MANY different names. One pass over the bytes, which costs
 * nothing compared with parsing. Names are told apart by a hash: two that look equal only make the count smaller.
 */
function countFields(bytes: Uint8Array, maxDepth: number): number {
  const names = new Set<number>()
  let depth = 0
  let fields = 0
  let inString = false
  let start = 0
  let end = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (inString) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) {
        inString = false
        end = i
      }
    } else if (byte === QUOTE) {
      inString = true
      start = i + 1
    } else if (byte === COLON) {
      fields++
      names.add(hashOf(bytes, start, end))
      if (names.size > MOST_NAMES) return TOO_MANY
    } else if (byte === 0x5b || byte === 0x7b) {
      depth++
      if (depth > maxDepth) return TOO_DEEP
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return fields
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start
  for (let i = start; i < end; i++) {
    hash = Math.imul(hash ^ (bytes[i] ?? 0), MIX)
    hash ^= hash >>> 15
  }
  return hash
}

/** Names by which code that copies objects can be made to change what every object is. */
const isUnsafe = (name: string): boolean => name === '__proto__' || name === 'constructor'

/** How many fields the parsed value has: fewer than its text when a name stood twice, because the last one wins. Minus infinity with an unsafe name. */
function keptFields(value: object): number {
  let count = 0
  if (Array.isArray(value)) {
    for (const one of value as unknown[]) if (typeof one === 'object' && one !== null) count += keptFields(one)
    return count
  }
  for (const name of Object.keys(value)) {
    if (isUnsafe(name)) return Number.NEGATIVE_INFINITY
    count++
    const one: unknown = (value as Record<string, unknown>)[name]
    if (typeof one === 'object' && one !== null) count += keptFields(one)
  }
  return count
}

/** Strings, brackets, commas and colons of a text that is JSON; numbers and words are passed over. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

/** An object or list that the search stands in, and where in it. */
interface Place {
  /** Of the fields that were seen; null: it is a list. */
  names: Set<string> | null
  index: number
  name: string
}

/** The first field that is to blame, with its path. Only for texts that are refused: it is slower than parsing. */
function refusedName(text: string): { field: string; message: string } {
  const open: Place[] = []
  let last = ''
  for (const [token] of text.matchAll(TOKENS)) {
    const inner = open.at(-1)
    if (token === '{') open.push({ names: new Set(), index: 0, name: '' })
    else if (token === '[') open.push({ names: null, index: 0, name: '' })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',' && inner) inner.index++
    else if (token === ':' && inner?.names) {
      inner.name = JSON.parse(last) as string
      if (isUnsafe(inner.name)) return { field: pathOf(open), message: 'must be left out: no field may have this name' }
      if (inner.names.has(inner.name))
        return { field: pathOf(open), message: 'must not stand twice in the same object' }
      inner.names.add(inner.name)
    }
    last = token
  }
  throw new Error('no name of the text is to blame')
}

/** Characters of a path that are returned. */
const MOST_PATH = 200

/** The beginning of the path to the innermost place. Made once, for the field to blame: names can be as long as a body, and a body can have 100,000 fields. */
function pathOf(open: readonly Place[]): string {
  let path = ''
  for (const { names, index, name } of open) {
    if (names === null) path += `[${index}]`
    else path += (path === '' ? '' : '.') + name.slice(0, MOST_PATH)
  }
  return path.slice(0, MOST_PATH)
}
