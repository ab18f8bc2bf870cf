// What axe finds against WCAG 2.2 AA in a page as it is drawn now.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** A page that was not drawn has nothing to find fault with. */
const FEWEST_PASSES = 8

interface Rule {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

/** A line a rule that is broken: its name, the first element, and what is wrong with it. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // The pages' policy lets no script in by a tag; the debugger's own evaluation is none.
  await page.evaluate(AXE)
  const { violations, passes } = await page.evaluate(async (tags) => {
    const { axe } = window as unknown as {
      axe: { run(context: Document, options: object): Promise<{ passes: unknown[]; violations: Rule[] }> }
    }
    const result = await axe.run(document, {
      runOnly: { type: 'tag', values: tags },
      resultTypes: ['violations'],
    })
    return { violations: result.violations, passes: result.passes.length }
  }, TAGS)
  if (passes < FEWEST_PASSES) throw new Error(`only ${passes} rules had anything to look at`)
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 150)} ${nodes[0]?.failureSummary.slice(0, 250)}`,
  )
}
