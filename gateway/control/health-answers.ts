// What health.list answers, as JSON: findings with their words in English, which pages with words of their own do not need.
import type { Finding, FindingAct, FindingCost, UnheardPart, Verdict } from '#shared/health.ts'

export interface FindingAnswer extends Omit<Finding, 'sinceMs' | 'cost' | 'act'> {
  title: string
  /** What it means and what to do. */
  text: string
  since: string | null
  /** `text`: the sentence with its number. */
  cost: (FindingCost & { text: string }) | null
  /** The action that fixes it; `label`: on its button. `role`: who may do it, or see the page. */
  act: (FindingAct & { label: string; role: 'manager' | 'technician' }) | null
}

export interface HealthAnswer {
  verdict: Verdict
  /** Parts that have not reported within their time. */
  unheard: UnheardPart[]
  /** Worst first. */
  findings: FindingAnswer[]
}
