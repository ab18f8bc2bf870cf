// The built pages: found from any path, compressed where the browser accepts it, cached where the name allows it, and no way out of the folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BoxServer, type PageBrowser } from '#test/doubles/box-server.ts'

const SCRIPT = 'console.log("page")'
const dir = mkdtempSync(join(tmpdir(), 'web-assets-'))
const web = join(dir, 'web')
mkdirSync(join(web, 'assets'), { recursive: true })
writeFileSync(join(web, 'admin.html'), '<title>admin</title>')
writeFileSync(join(web, 'kitchen.html'), '<title>kitchen</title>')
writeFileSync(join(web, 'assets/page-1a2b.js'), SCRIPT)
writeFileSync(join(web, 'assets/page-1a2b.js.gz'), gzipSync(SCRIPT))
writeFileSync(join(web, 'assets/bell.exe'), 'no type of ours')
writeFileSync(join(dir, 'secret.js'), 'SECRET')

const box = new BoxServer({ dir })
let browser: PageBrowser
beforeAll(async () => {
  await box.start()
  browser = box.browser()
})
afterAll(async () => {
  await box.stop()
  rmSync(dir, { recursive: true, force: true })
})

describe('the built pages', () => {
  it('answer at any path of theirs, so that a reload works', async () => {
    for (const path of ['/admin', '/admin/', '/admin/printers/grill'])
      expect((await browser.get(path)).text, path).toContain('admin')
    for (const path of ['/kitchen', '/kitchen/board']) expect((await browser.get(path)).text, path).toContain('kitchen')
    const root = await browser.get('/')
    expect([root.status, root.headers.location]).toEqual([302, '/admin'])
    expect((await browser.get('/status')).text).toContain('Ticketrail gateway')
  })

  it('are never sent in place of an API response', async () => {
    for (const path of ['/kitchen/api/nothing', '/api/v1/nothing', '/assets/', '/assets/nothing.js'])
      expect((await browser.get(path)).body, path).toMatchObject({ code: 'not-found' })
  })

  it('are revalidated each time, while files with a hash in their name are cached forever', async () => {
    const page = await browser.get('/admin')
    expect(page.headers['cache-control']).toBe('no-cache')
    const again = await browser.get('/admin', { 'if-none-match': page.headers.etag ?? '' })
    expect([again.status, again.text]).toEqual([304, ''])
    expect((await browser.get('/assets/page-1a2b.js')).headers['cache-control']).toContain('immutable')
    expect((await browser.get('/assets/nothing.js')).headers['cache-control']).toBe('no-store')
  })

  it('are compressed for clients that accept it', async () => {
    const packed = await browser.get('/assets/page-1a2b.js', { 'accept-encoding': 'deflate, gzip;q=0.8, br' })
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
    })
    expect(packed.headers.vary).toBe('accept-encoding')
    for (const accepted of ['', 'gzip;q=0', 'identity']) {
      const plain = await browser.get('/assets/page-1a2b.js', { 'accept-encoding': accepted })
      expect([plain.headers['content-encoding'], plain.text], accepted).toEqual([undefined, SCRIPT])
    }
  })

  it('are all that can be read: no other file, no other kind', async () => {
    for (const path of [
      '/assets/../secret.js',
      '/assets/..%2fsecret.js',
      '/assets/..%2f..%2fsecret.js',
      '/assets/%2e%2e/secret.js',
      '/assets/..%5csecret.js',
      '/assets//secret.js',
      '/assets/.env',
      '/assets/page-1a2b.js%00.png',
      '/assets/bell.exe',
      '/assets/page-1a2b.js.gz',
    ]) {
      const answer = await browser.get(path)
      expect([answer.status, answer.text.includes('SECRET')], path).toEqual([404, false])
    }
  })

  it('may load from this box alone, and run and draw nothing inline', async () => {
    for (const path of ['/admin', '/kitchen', '/status']) {
      const { headers } = await browser.get(path)
      const policy = String(headers['content-security-policy'])
      // On plain http, browsers complain of it.
      expect(headers).not.toHaveProperty('cross-origin-opener-policy')
      expect(policy, path).toMatch(/^default-src 'self';.*frame-ancestors 'none'/)
      expect(policy, path).not.toMatch(/unsafe|https?:|\*/)
    }
  })
})
