// What axe finds against WCAG 2.2 AA in a page as it is drawn now.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** Those whose answer depends on colours; what the others find in a light page, they find in a dark one. */
const OF_COLORS = ['color-contrast', 'link-in-text-block']
/** A page that was not drawn has nothing to find fault with. */
const FEWEST_PASSES = 8

interface Rule {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

/**
 * A line a rule that is broken: its name, the first element, and what is wrong with it.
 * @param rules all of them, or those about colours, for a page whose other colours have been looked at already
 */
export async function accessibilityFaults(page: Page, rules: 'all' | 'colors' = 'all'): Promise<string[]> {
  // The pages' policy lets no script in by a tag; the debugger's own evaluation is none.
  await page.evaluate(AXE)
  const { violations, passes } = await page.evaluate(
    async (runOnly) => {
      const { axe } = window as unknown as {
        axe: { run(context: Document, options: object): Promise<{ passes: unknown[]; violations: Rule[] }> }
      }
      const result = await axe.run(document, { runOnly, resultTypes: ['violations'] })
      return { violations: result.violations, passes: result.passes.length }
    },
    rules === 'all' ? { type: 'tag', values: TAGS } : { type: 'rule', values: OF_COLORS },
  )
  if (passes < (rules === 'all' ? FEWEST_PASSES : 1)) throw new Error(`only ${passes} rules had anything to look at`)
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 150)} ${nodes[0]?.failureSummary.slice(0, 250)}`,
  )
}
