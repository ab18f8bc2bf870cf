// Gateways at the operator's command line: how many an account may have.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AdminDesk } from '#test/fixtures/admin-desk.ts'

let desk: AdminDesk
beforeEach(async () => {
  desk = await AdminDesk.open()
})
afterEach(() => desk.close())

test('an account gets as many gateways as its locations or its contract allow, and the refusal explains the limit', async () => {
  const { accountId } = desk.api.account
  const place = ['--location', desk.api.locationId, '--name', 'Pi', '--broker-url', 'mqtts://relay.example:8883']
  const add = ['gateways', 'add', ...place]
  const allow = (count: string) => desk.json('plans', 'set', '--account', accountId, '--sandbox-gateways', count)
  await allow('2')
  const { gatewayId } = await desk.json(...add)
  await desk.json(...add)
  const words = await desk.refused(...add)
  expect(words).toContain('The account has 2 gateways; its contract allows 2.')
  expect(words).toContain('plans set --gateways')
  await desk.json('gateways', 'revoke', '--gateway', gatewayId)
  await desk.json(...add)
  await desk.refused(...add)
  await allow('none')
  await desk.json(...add)
})
