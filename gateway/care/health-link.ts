// What is wrong with the way to the relay. Pure.

import { type Finding, lossKey, type Severity } from '#shared/health.ts'
import type { FindingKey } from '#shared/health-words.ts'
import type { LinkTrouble } from '#shared/wire/gateway-claim.ts'
import { cost, finding, opening, RELAY } from './finding.ts'
import type { HealthFacts, LinkFacts } from './health-facts.ts'

/** A box that has just started or was just paired is still connecting, and a lost connection is usually back by then. */
export const LINK_PATIENCE_MS = 15_000
/** From then on orders are late. */
const LINK_CRITICAL_MS = 60_000

const SETTINGS = opening('open-settings', '/settings')

export function linkFindings({ link, nowMs }: Pick<HealthFacts, 'link' | 'nowMs'>): Finding[] {
  const orders = cost('orders-stop')
  switch (link.state) {
    case 'unpaired':
      return [finding('not-paired', { subject: RELAY, severity: 'warning', cost: orders, act: SETTINGS })]
    case 'unusable':
      return [finding('pairing-unusable', { subject: RELAY, severity: 'critical', cost: orders, act: SETTINGS })]
    case 'connecting': {
      if (link.trouble) return [lost(KEYS[link.trouble], 'critical', link)]
      const forMs = nowMs - link.sinceMs
      if (forMs < LINK_PATIENCE_MS) return []
      return [lost(lossKey(link.detail), forMs < LINK_CRITICAL_MS ? 'warning' : 'critical', link)]
    }
    default:
      return []
  }
}

/** A fault that waiting does not fix is reported at once. */
const KEYS: Readonly<Record<LinkTrouble, FindingKey>> = {
  refused: 'relay-refuses',
  certificate: 'relay-certificate',
}

function lost(key: FindingKey, severity: Severity, { detail, sinceMs, unreported }: LinkFacts): Finding {
  return finding(key, {
    ...{ subject: RELAY, severity, sinceMs, values: { detail } },
    cost: unreported > 0 ? cost('results-wait', unreported) : cost('orders-stop'),
    act: SETTINGS,
  })
}
