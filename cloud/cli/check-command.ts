// check: what inject would answer to an order, without sending it.
import { word } from '#shared/cli/command.ts'
import type { OrderCheck } from '#shared/sdk/api.ts'
import { plain } from '#shared/terminal-text.ts'
import type { Command } from './command.ts'
import { orderIn, timeOf } from './order-commands.ts'

export const checkCommand: Command = {
  name: 'check',
  usage: '<order.json>',
  summary: 'Shows what an order would come to, without sending it',
  options: {},
  examples: ['order.json', '- --json < order.json'],
  run: async (line) => {
    const order = orderIn(word(line, 0))
    const merchantId = order.merchantId ?? (await line.merchantId())
    const check = await line.client().orders.check({ ...order, merchantId }, { signal: line.stopped })
    return { data: check, text: checkText(check) }
  },
}

function checkText({ serviceOrderId, items, total, tip, fireAt, estimatedReadyAt, ways, printPending }: OrderCheck) {
  const lines = items.map(({ qty, name, price, menuPrice, modifiers }) => {
    const with_ = modifiers.length === 0 ? '' : ` (${modifiers.map((one) => plain(one.name)).join(', ')})`
    // A modifier may be in the price of its line: only without one a difference means something.
    const differs = menuPrice !== null && menuPrice !== price && modifiers.length === 0
    return `${String(qty).padStart(3)}  ${plain(name)}${with_}  ${price.toFixed(2)}${differs ? `, menu ${menuPrice.toFixed(2)}` : ''}`
  })
  const printers = ways.map(
    ({ station, way, name }) =>
      `${plain(station ?? 'without a station')}: ${way === null ? 'nothing' : plain(name ?? way)}`,
  )
  return [
    ...lines,
    `Total ${total.toFixed(2)}${tip === 0 ? '' : `, tip ${tip.toFixed(2)}`}`,
    `Goes to the kitchen ${fireAt === null ? 'at once' : `at ${timeOf(fireAt)}`}, ready at ${timeOf(estimatedReadyAt)}`,
    ...(printers.length === 0 ? [] : [printers.join('; ')]),
    ...(printPending === true ? ['No printer is connected now: it would be stored and print later.'] : []),
    serviceOrderId === null ? 'It can be sent.' : `It was sent before: ${serviceOrderId}`,
  ].join('\n')
}
