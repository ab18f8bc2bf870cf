// Recordings on a real file system: what is written, what is altered, and what is left over.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { newId, type VoicemailId } from '#shared/ids.ts'
import { MediaError, MediaStore, MOST_AUDIO_BYTES } from './media-store.ts'

const AUDIO = Buffer.from('RIFF canary sound of a caller')
let folder: string
let media: MediaStore
let id: VoicemailId
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'media-')), 'media')
  media = new MediaStore({ folder, secretBox: new SecretBox(Buffer.alloc(32, 1)) })
  id = newId('vm', 1)
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof MediaError ? error.fault : error),
  )

describe('a recording', () => {
  it('is read as it was written, is for this user alone, and is not in its file in clear', async () => {
    await media.write(id, AUDIO)
    expect(await media.read(id)).toEqual(AUDIO)
    expect(readdirSync(folder)).toEqual([id])
    expect([statSync(folder).mode & 0o777, statSync(join(folder, id)).mode & 0o777]).toEqual([0o700, 0o600])
    expect(readFileSync(join(folder, id)).includes('canary')).toBe(false)
  })

  it('that is written again is replaced', async () => {
    await media.write(id, Buffer.from('before'))
    await media.write(id, AUDIO)
    expect([await media.read(id), readdirSync(folder)]).toEqual([AUDIO, [id]])
  })

  it('is written whole where the system writes less than it is given', async () => {
    const probe = await open(folder.replace(/media$/, 'probe'), 'w')
    const files = Object.getPrototypeOf(probe) as { write: (bytes: Buffer) => Promise<unknown> }
    await probe.close()
    const { write } = files
    const short = vi.spyOn(files, 'write').mockImplementation(function (this: unknown, bytes: Buffer) {
      return write.call(this, bytes.subarray(0, Math.ceil(bytes.length / 2)))
    })
    await media.write(id, AUDIO)
    short.mockRestore()
    expect(await media.read(id)).toEqual(AUDIO)
  })

  it('that is deleted is missing, and may be deleted again', async () => {
    await media.write(id, AUDIO)
    await media.delete(id)
    await media.delete(id)
    expect(await faultOf(media.read(id))).toBe('missing')
  })

  it.each([
    ['one bit', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])])],
    ['its end', (bytes: Buffer) => bytes.subarray(0, -3)],
    ['nearly everything', (bytes: Buffer) => bytes.subarray(0, 5)],
  ])('of which %s was changed is told from a good one', async (_, alter) => {
    await media.write(id, AUDIO)
    writeFileSync(join(folder, id), alter(readFileSync(join(folder, id))))
    expect(await faultOf(media.read(id))).toBe('altered')
  })

  it('is not read under the name of another, and not with another master key', async () => {
    await media.write(id, AUDIO)
    const other = newId('vm', 1)
    writeFileSync(join(folder, other), readFileSync(join(folder, id)))
    expect(await faultOf(media.read(other))).toBe('altered')
    const stranger = new MediaStore({ folder, secretBox: new SecretBox(Buffer.alloc(32, 2)) })
    expect(await faultOf(stranger.read(id))).toBe('altered')
  })

  it('that is too large, or that no folder takes, is refused', async () => {
    expect(await faultOf(media.write(id, Buffer.alloc(MOST_AUDIO_BYTES + 1)))).toBe('too_large')
    const file = join(folder, '..', 'file')
    writeFileSync(file, '')
    chmodSync(file, 0o600)
    const nowhere = new MediaStore({ folder: join(file, 'media'), secretBox: new SecretBox(Buffer.alloc(32, 1)) })
    expect(await faultOf(nowhere.write(id, AUDIO))).toBe('unusable')
  })

  it('has a name that is an id, and no other', async () => {
    await expect(media.read('../relay.db' as VoicemailId)).rejects.toThrow('no id of a recording')
  })
})

describe('the sweep', () => {
  it('leaves a file that nobody knows until it is old: the database may be an older one', async () => {
    await media.write(id, AUDIO)
    const none = { before: new Set<string>() }
    const { mtimeMs } = statSync(join(folder, id))
    expect((await media.sweep(async () => new Map(), { ...none, unknownBeforeMs: mtimeMs })).deleted).toBe(0)
    expect((await media.sweep(async () => new Map(), { ...none, unknownBeforeMs: mtimeMs + 1 })).deleted).toBe(1)
  })

  it('deletes what was deleted, and what was unfinished at the sweep before', async () => {
    const kept = newId('vm', 2)
    await media.write(id, AUDIO)
    await media.write(kept, AUDIO)
    const [unfinished, foreign] = [`${id}.00.new`, 'notes.txt']
    for (const name of [unfinished, foreign]) writeFileSync(join(folder, name), '')
    const known = async () =>
      new Map([
        [kept, true],
        [id, false],
      ])
    const first = await media.sweep(known, { unknownBeforeMs: 0, before: new Set() })
    expect([first.deleted, readdirSync(folder).toSorted()]).toEqual([1, [foreign, kept, unfinished].toSorted()])
    expect((await media.sweep(known, { unknownBeforeMs: 0, before: first.unfinished })).deleted).toBe(1)
    expect(readdirSync(folder).toSorted()).toEqual([foreign, kept].toSorted())
  })

  it('of a folder that is not there finds nothing', async () => {
    expect((await media.sweep(async () => new Map(), { unknownBeforeMs: 0, before: new Set() })).deleted).toBe(0)
  })
})
