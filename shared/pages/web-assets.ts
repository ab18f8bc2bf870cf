// The built web pages: from dist/web, or from inside the executable. Compressed where the browser accepts it; names with a hash are cached by browsers forever.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { getRawAsset, isSea } from 'node:sea'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** One file of the pages; null: there is none of this name. */
export type WebFiles = (path: string) => Uint8Array | null

/** From the folder that `npm run build:web` makes. */
export function filesOfFolder(folder: string): WebFiles {
  return (path) => {
    try {
      return readFileSync(join(folder, path))
    } catch {
      return null
    }
  }
}

/** From inside the executable; else from the folder. */
export function webFiles(): WebFiles {
  if (!isSea()) return filesOfFolder(new URL('../../dist/web', import.meta.url).pathname)
  return (path) => {
    try {
      return Buffer.from(getRawAsset(`web/${path}`) as ArrayBuffer)
    } catch {
      return null
    }
  }
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wav': 'audio/wav',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
/** No way out of the folder: no part begins with a dot. */
const SAFE_PATH = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/
/** Better first. */
const PACKED = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const
/** Answers with files of the pages, each under an etag of its content. */
export class WebPages {
  readonly #files: WebFiles
  readonly #etags = new Map<string, string>()
  /** Answers what is not there. */
  readonly notThere: (reply: FastifyReply) => FastifyReply

  constructor(files: WebFiles, notThere: (reply: FastifyReply) => FastifyReply) {
    this.#files = files
    this.notThere = notThere
  }

  /** A handler that answers with this page, whatever the path. @param name such as `admin.html` */
  page(name: string): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
    return (request, reply) => this.send(name, request, reply.header('cache-control', 'no-cache'))
  }

  send(name: string, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
    const files = this.#files
    const type = TYPES[extname(name)]
    const plain = type === undefined ? null : files(name)
    if (plain === null || type === undefined) return this.notThere(reply.header('cache-control', 'no-store'))
    const known = this.#etags.get(name)
    const etag = known ?? `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
    if (known === undefined) this.#etags.set(name, etag)
    reply.header('etag', etag).header('vary', 'accept-encoding')
    if (headers['if-none-match'] === etag) return reply.code(304).send()
    const accepted = acceptedEncodings(headers['accept-encoding'])
    for (const [encoding, suffix] of PACKED) {
      const packed = accepted.has(encoding) ? files(`${name}${suffix}`) : null
      if (packed) return reply.type(type).header('content-encoding', encoding).send(packed)
    }
    return reply.type(type).send(plain)
  }
}

/** Files with a hash in their name, below `/assets/` of the page. @param config of the route, such as who may use it. @param below where the page is, without a slash at the end */
export function assetRoutes(
  app: Pick<FastifyInstance, 'get'>,
  pages: WebPages,
  { config, below = '' }: { config: FastifyContextConfig; below?: string },
): void {
  app.get<{ Params: { '*': string } }>(`${below}/assets/*`, { config }, (request, reply) => {
    const name = `assets/${request.params['*']}`
    if (!SAFE_PATH.test(name)) return pages.notThere(reply)
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    return pages.send(name, request, reply)
  })
}

/** Those that are not refused by `;q=0`. */
function acceptedEncodings(header: string | string[] | undefined): Set<string> {
  const parts = String(header ?? '')
    .toLowerCase()
    .split(',')
  return new Set(
    parts.filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part)).map((part) => part.split(';')[0]?.trim() ?? ''),
  )
}
