// Every tone that a page makes, instead of a loudspeaker.
import type { Page } from 'playwright-core'

const RECORDER = `
  window.tones = []
  const start = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (at) {
    window.tones.push(this.frequency.value)
    start.call(this, at)
  }`

/** Before the page is opened. */
export async function hearTones(page: Page): Promise<void> {
  await page.addInitScript(RECORDER)
}

/** Since the page was loaded, in Hz. */
export function tones(page: Page): Promise<number[]> {
  return page.evaluate('window.tones')
}
