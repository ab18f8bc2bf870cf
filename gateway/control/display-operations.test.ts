// Screens as the page shows them: connected, or since when they are silent.
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BoxServer } from '#test/doubles/box-server.ts'
import type { DisplayAnswer } from './answers.ts'

let box: BoxServer
beforeEach(() => {
  box = new BoxServer()
})
afterEach(() => {
  box.core.db.close()
  rmSync(box.core.dir, { recursive: true, force: true })
})

async function only(): Promise<DisplayAnswer> {
  const [display] = (await box.control.perform('displays.list', {}, { asker: 'test' })) as DisplayAnswer[]
  if (!display) throw new Error('there is no display')
  return display
}

describe('a screen of the kitchen', () => {
  it('shows the last contact once it does not answer, and not before', async () => {
    box.display()
    expect(await only()).toMatchObject({ isAlive: false, lastHeardAt: null })
    const { displayId } = await only()
    await box.core.clock.advance(1_000)
    box.kitchen.presence.heard(displayId, true)
    const heardAt = Math.round(box.core.relayTime.now() / 1_000) * 1_000
    expect(await only()).toMatchObject({ isAlive: true, isOnShift: true, lastHeardAt: null })
    await box.core.clock.advance(90_000)
    expect(await only()).toMatchObject({ isAlive: false, lastHeardAt: new Date(heardAt).toISOString() })
  })

  it('keeps what a change does not name', async () => {
    box.display('Pass')
    const { displayId } = await only()
    await box.control.perform('displays.update', { displayId, stations: ['grill'], language: 'es' }, { asker: 'test' })
    expect(await only()).toMatchObject({ name: 'Pass', stations: ['grill'], language: 'es', backupPrinterId: null })
  })
})
