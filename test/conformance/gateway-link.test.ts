// The gateway link on every broker that we support: same suite, same promises.
import { describe } from 'vitest'
import { mosquittoProgram } from '#test/doubles/mosquitto.ts'
import { type BrokerUnderTest, embedded, Mosquitto } from './gateway-link.brokers.ts'
import { chaosSuite } from './gateway-link.chaos.ts'
import { damageSuite } from './gateway-link.damage.ts'
import { leavingSuite, moveSuite } from './gateway-link.move.ts'
import { strangersSuite } from './gateway-link.strangers.ts'
import { gatewayLinkSuite } from './gateway-link.suite.ts'

function everything(broker: () => BrokerUnderTest, { external } = { external: false }): void {
  describe('promises', () => gatewayLinkSuite(broker))
  describe('strangers', () => strangersSuite(broker))
  describe('damage', () => damageSuite(broker))
  describe('moving', () => moveSuite(broker, { external }))
  describe('before the relay stops', () => leavingSuite(broker, { external }))
  describe('chaos', () => chaosSuite(broker))
}

describe('on the embedded broker', () => everything(embedded))

const program = mosquittoProgram()
if (program) describe('on Mosquitto', () => everything(() => new Mosquitto(program), { external: true }))
else {
  console.warn('SKIPPED: the link on Mosquitto, because it is not installed (apt-get install mosquitto)')
  describe.skip('on Mosquitto: not installed', () => everything(embedded))
}
