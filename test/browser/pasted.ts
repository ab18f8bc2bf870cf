// A line of the page, run as somebody pastes it into a terminal.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'

const run = promisify(execFile)

/** @param name of the region that the line stands in. @returns what it prints, as JSON */
export async function pasted(page: Page, name: string): Promise<Record<string, unknown>> {
  const line = await page.getByRole('region', { name }).locator('pre').textContent()
  const { stdout } = await run('/bin/sh', ['-c', line ?? ''])
  return JSON.parse(stdout) as Record<string, unknown>
}
