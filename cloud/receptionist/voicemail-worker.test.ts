// What becomes of a recording: each step, each failure of it, and what the restaurant is told.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type HookRecording, TelephonyError } from '#cloud/telephony/telephony.ts'
import { toneWav } from '#test/fixtures/spoken.ts'
import { CALLER, OWNER, VoicemailDesk } from '#test/fixtures/voicemail-desk.ts'
import { TranscriberError, transcriptOf } from './transcribers/transcriber.ts'

const MINUTE = 60_000
let desk: VoicemailDesk
beforeEach(async () => {
  desk = await VoicemailDesk.open()
})
afterEach(() => desk.close())

const shown = ({ recordingId }: HookRecording) => desk.shown(recordingId)
const done = (recording: HookRecording) => expect.poll(() => desk.isDone(recording.recordingId)).toBe(true)
const says = (text: string, confidence: number | null = 0.9) => {
  desk.transcriber = { transcribe: async () => transcriptOf(text, { confidence, engine: 'test' }) }
}
const fails = (reason: string, isFinal = false) => {
  desk.transcriber = {
    transcribe: async () => {
      throw new TranscriberError(reason, { isFinal })
    },
  }
}
/** Passes one delay of the schedule, and waits for the attempt after it. */
async function again(recording: HookRecording, ms: number, attempts: number): Promise<void> {
  await desk.clock.advance(ms + 2_000)
  await expect
    .poll(async () => {
      const row = await desk.row(recording.recordingId)
      return [row.attempts, row.lease_until]
    })
    .toEqual([attempts, null])
}

describe('a voicemail', () => {
  it('is fetched, turned into text, told and taken from the company', async () => {
    await desk.worker().start()
    const recording = await desk.voicemail()
    await done(recording)
    expect(await shown(recording)).toBe('transcribed "a table for four at seven"')
    const { id, file } = await desk.row(recording.recordingId)
    expect(file).toBe(id)
    expect(await desk.media.read(id)).toEqual(toneWav())
    expect(desk.company.deleted).toEqual([recording.recordingId])
    expect(await desk.texts()).toEqual([
      {
        to: OWNER,
        about: id,
        text: expect.stringMatching(
          /^Voicemail from \+12125550142 \(0:42\): "a table for four at seven" - https:\/\/relay\.example\/dashboard\/receptionist\?\S+$/,
        ),
      },
    ])
  })

  it.each([0.3, null])('whose engine is sure at %s is told as one that may be wrong', async (confidence) => {
    says('a cable for fur', confidence)
    await desk.worker().start()
    const recording = await desk.voicemail()
    await done(recording)
    expect((await desk.row(recording.recordingId)).confidence).toBe(confidence === null ? null : 30)
    expect(await desk.texts()).toMatchObject([
      { text: expect.stringContaining('(0:42): "a cable for fur" (may be wrong) - ') },
    ])
  })

  it('of a caller who withholds the number, with many words, is told within limits', async () => {
    says(`"${'word '.repeat(100)}"`)
    await desk.worker().start()
    await done(await desk.voicemail({ from: null, seconds: 61 }))
    const [told] = await desk.texts()
    expect(told?.text).toMatch(/^Voicemail from a withheld number \(1:01\): "'word .{280,300}\.\.\." - https:/)
  })

  it('has no card number in its text, neither of the engine nor of the company', async () => {
    desk.transcriber = {
      transcribe: async ({ providerText }) => transcriptOf(providerText ?? '', { confidence: 1, engine: 'provider' }),
    }
    await desk.worker().start()
    const recording = await desk.voicemail({ text: 'my card is 4111 1111 1111 1111 thanks' })
    await done(recording)
    expect(await shown(recording)).toBe('transcribed "my card is [card number] thanks"')
    says('four one one one, one one one one, one one one one, one one one one')
    const spoken = await desk.voicemail()
    await done(spoken)
    expect(await shown(spoken)).toBe('transcribed "[card number]"')
  })

  it('in which nothing is understood is told with a link', async () => {
    says('')
    await desk.worker().start()
    const recording = await desk.voicemail()
    await done(recording)
    expect(await shown(recording)).toBe('no_transcript')
    expect(await desk.texts()).toMatchObject([
      { text: expect.stringMatching(/^New voicemail from \+12125550142 \(0:42\), listen: https:/) },
    ])
  })

  it('of a restaurant that wants no texts is only kept', async () => {
    await desk.db.unit((tx) => tx.updateTable('receptionist_profiles').set({ profile: '{}' }).execute())
    await desk.worker().start()
    const recording = await desk.voicemail()
    await done(recording)
    expect([await shown(recording), await desk.texts()]).toEqual(['transcribed "a table for four at seven"', []])
  })

  it.each([
    ['is told although another setting cannot be read', { mode: 'new', notifyTo: OWNER }, [OWNER]],
    ['is brought in although the number for text messages cannot be read', { notifyTo: 'new' }, []],
  ])('%s, and the log names both', async (_what, set, told) => {
    const profile = JSON.stringify(set)
    await desk.db.unit((tx) => tx.updateTable('receptionist_profiles').set({ profile }).execute())
    await desk.worker().start()
    const recording = await desk.voicemail()
    await done(recording)
    expect((await desk.texts()).map(({ to }) => to)).toEqual(told)
    const { id } = await desk.row(recording.recordingId)
    const line = desk.logLines.find((text) => text.includes('settings of a receptionist cannot be read'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      voicemailId: id,
      merchantKey: desk.merchantKey,
      isTold: told.length > 0,
    })
  })
})

describe('news of a recording', () => {
  it('that come twice, late and in any order make one voicemail', async () => {
    const { providerId } = await desk.call()
    const recording = desk.recorded(providerId)
    await desk.take({ ...recording, seconds: null, text: 'hello' })
    await desk.take(recording)
    await desk.take({ ...recording, seconds: null, text: 'other' })
    await desk.worker().start()
    await done(recording)
    await desk.take(recording)
    await desk.take({ ...recording, seconds: null, text: 'late' })
    expect(await desk.isDone(recording.recordingId)).toBe(true)
    expect(await desk.texts()).toHaveLength(1)
  })

  it('of a call that is not known here are kept, and told without a number', async () => {
    await desk.worker().start()
    const recording = desk.recorded('CA-unknown')
    await desk.take(recording)
    await done(recording)
    expect((await desk.row(recording.recordingId)).call_id).toBeNull()
    expect(await desk.texts()).toMatchObject([{ text: expect.stringContaining('from a withheld number') }])
  })

  it('in which nothing was said only take the copy from the company', async () => {
    await desk.worker().start()
    const recording = await desk.voicemail({ seconds: 0 })
    await done(recording)
    expect([desk.company.deleted, await desk.texts()]).toEqual([[recording.recordingId], []])
    expect(await desk.stores.voicemails.list({ merchantKey: desk.merchantKey, limit: 10 })).toEqual([])
  })

  it('of a whole call are fetched, and neither turned into text nor told', async () => {
    await desk.worker().start()
    const recording = await desk.voicemail({ kind: 'call' })
    await done(recording)
    expect([await shown(recording), await desk.texts()]).toEqual(['fetched', []])
  })

  it('that bring the text later are used at once', async () => {
    desk.transcriber = {
      transcribe: async ({ providerText }) => {
        if (providerText === null) throw new TranscriberError('no_text_yet')
        return transcriptOf(providerText, { confidence: null, engine: 'provider' })
      },
    }
    await desk.worker().start()
    const recording = await desk.voicemail()
    await expect.poll(() => shown(recording)).toBe('fetched no_text_yet')
    await desk.take({ ...recording, seconds: null, text: 'call me back' })
    await done(recording)
    expect(await shown(recording)).toBe('transcribed "call me back"')
  })
})

describe('an engine that fails', () => {
  it('is asked four times within 36 minutes, then the voicemail is told without a text', async () => {
    fails('exit_1')
    await desk.worker().start()
    const recording = await desk.voicemail()
    await expect.poll(() => shown(recording)).toBe('fetched exit_1')
    await again(recording, MINUTE, 2)
    await again(recording, 5 * MINUTE, 3)
    expect(await desk.texts()).toEqual([])
    await desk.clock.advance(30 * MINUTE + 2_000)
    await done(recording)
    expect(await shown(recording)).toBe('no_transcript exit_1')
    expect(await desk.texts()).toMatchObject([{ text: expect.stringMatching(/^New voicemail from/) }])
  })

  it('for good is not asked again', async () => {
    fails('not_started', true)
    await desk.worker().start()
    const recording = await desk.voicemail()
    await done(recording)
    expect(await desk.texts()).toHaveLength(1)
  })

  it('in a way that nobody expects says nothing of what it heard in the log', async () => {
    desk.transcriber = {
      transcribe: async () => {
        throw new Error('could not understand: canary words')
      },
    }
    await desk.worker().start()
    const recording = await desk.voicemail()
    await expect.poll(() => shown(recording)).toBe('fetched unexpected')
    expect(desk.logLines.join('')).not.toContain('canary words')
  })

  it('by ending the relay each time is not asked for ever', async () => {
    const recording = await desk.voicemail()
    const { id } = await desk.row(recording.recordingId)
    await desk.media.write(id, toneWav())
    await desk.db.unit((tx) => tx.updateTable('voicemails').set({ state: 'fetched', file: id, attempts: 4 }).execute())
    let asked = 0
    desk.transcriber = {
      transcribe: () => {
        asked += 1
        return Promise.reject(new Error('asked'))
      },
    }
    await desk.worker().start()
    await done(recording)
    expect(await desk.texts()).toHaveLength(1)
    expect([await shown(recording), asked]).toEqual(['no_transcript interrupted', 0])
  })
})

describe('a company that fails', () => {
  it('to give a recording is asked until it does: the restaurant is told after four times, and once', async () => {
    desk.company.fails = () => new TelephonyError('http_503', { isTransient: true })
    await desk.worker().start()
    const recording = await desk.voicemail()
    await expect.poll(() => shown(recording)).toBe('recorded http_503')
    await again(recording, MINUTE, 2)
    await again(recording, 5 * MINUTE, 3)
    await again(recording, 30 * MINUTE, 4)
    expect(await shown(recording)).toBe('no_transcript http_503')
    expect(await desk.texts()).toHaveLength(1)
    desk.company.fails = () => null
    await desk.clock.advance(360 * MINUTE + 2_000)
    await done(recording)
    expect(await shown(recording)).toBe('transcribed "a table for four at seven"')
    expect(await desk.texts()).toHaveLength(1)
  })

  it('is not asked sooner because the news come again and again', async () => {
    desk.company.fails = () => new TelephonyError('http_503', { isTransient: true })
    await desk.worker().start()
    const recording = await desk.voicemail()
    await again(recording, 0, 1)
    const { next_at: nextAt } = await desk.row(recording.recordingId)
    for (let i = 0; i < 3; i++) await desk.take(recording)
    expect(await desk.row(recording.recordingId)).toMatchObject({ attempts: 1, next_at: nextAt })
  })

  it('to have the recording at all ends the matter after four times', async () => {
    const recording = await desk.voicemail()
    desk.company.recordings.clear()
    await desk.worker().start()
    await expect.poll(() => shown(recording)).toBe('recorded not_found')
    await again(recording, MINUTE, 2)
    await again(recording, 5 * MINUTE, 3)
    await desk.clock.advance(30 * MINUTE + 2_000)
    await done(recording)
    expect([await shown(recording), (await desk.texts()).length]).toEqual(['no_transcript not_found', 1])
  })

  it('by giving something that is no sound is not believed', async () => {
    const recording = await desk.voicemail()
    desk.company.recordings.set(recording.recordingId, Buffer.from('<html>'))
    await desk.worker().start()
    await expect.poll(() => shown(recording)).toBe('recorded not_audio')
  })
})

describe('the copy of the company', () => {
  it('stays until ours can be heard: one that was lost here is fetched again', async () => {
    let isHeld = true
    desk.company.fails = () => null
    const telephony = desk.company.telephony()
    const { deleteRecording } = telephony
    telephony.deleteRecording = async (id, signal) => {
      if (isHeld) throw new TelephonyError('http_500', { isTransient: true })
      return deleteRecording(id, signal)
    }
    await desk.worker({ telephony }).start()
    const recording = await desk.voicemail()
    await expect.poll(() => shown(recording)).toBe('transcribed "a table for four at seven" http_500')
    const { id } = await desk.row(recording.recordingId)
    rmSync(join(desk.mediaFolder, id))
    isHeld = false
    await desk.clock.advance(MINUTE + 2_000)
    await expect.poll(() => shown(recording)).toMatch(/ recording_missing$/)
    expect(desk.company.recordings.size).toBe(1)
    await desk.clock.advance(5 * MINUTE + 2_000)
    await done(recording)
    expect(await desk.media.read(id)).toEqual(toneWav())
    expect([await shown(recording), (await desk.texts()).length]).toEqual([
      'transcribed "a table for four at seven"',
      1,
    ])
  })
})

it('a recording that is erased while it is fetched leaves no file behind', async () => {
  const fetching = Promise.withResolvers<void>()
  const erased = Promise.withResolvers<void>()
  const telephony = desk.company.telephony()
  const { fetchRecording } = telephony
  telephony.fetchRecording = async (id, at) => {
    fetching.resolve()
    await erased.promise
    return fetchRecording(id, at)
  }
  await desk.worker({ telephony }).start()
  const recording = await desk.voicemail()
  const { id } = await desk.row(recording.recordingId)
  await fetching.promise
  await desk.db.unit((tx) => tx.deleteFrom('voicemails').execute())
  erased.resolve()
  await expect.poll(() => desk.media.read(id).catch(({ fault }) => fault)).toBe('missing')
  expect(await desk.texts()).toEqual([])
})

it('the log names recordings, and no number and no words', async () => {
  await desk.worker().start()
  await done(await desk.voicemail())
  const log = desk.logLines.join('')
  expect(log).toMatch(/"voicemailId":"vm_/)
  for (const secret of [CALLER, OWNER, 'table for four']) expect(log).not.toContain(secret)
})
