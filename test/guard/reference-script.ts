// The fixed piece of work beside which the browser's update is measured: about as much script, style and layout as sixty tickets. Never change it: every ratio would mean something else.

/** Defines `runReference(round)`, which resolves when what it changed has been drawn. */
export const REFERENCE_SCRIPT = `
  const style = document.createElement('style')
  style.textContent = \`
    #reference { display: grid; grid-template-columns: repeat(5, 1fr); gap: 8px; font: 16px sans-serif; }
    .ticket { border: 1px solid #888; border-radius: 6px; padding: 6px; }
    .ticket.odd { background: #ffe; }
    .ticket .line.struck { text-decoration: line-through; color: #777; }
    .ticket .head { display: flex; justify-content: space-between; font-weight: bold; }\`
  document.head.append(style)
  const board = document.createElement('div')
  board.id = 'reference'
  document.body.append(board)
  const orders = Array.from({ length: 60 }, (_, n) => ({
    id: 'order-' + n,
    number: n,
    lines: Array.from({ length: 4 }, (_, m) => ({ name: 'Dish number ' + m, note: 'B-' + n, qty: 1 + m, modifiers: ['mild', 'large'] })),
  }))
  const element = (kind, name, text) => {
    const made = document.createElement(kind)
    made.className = name
    made.textContent = text
    return made
  }
  window.runReference = (round) => {
    // The news as they come: text that is read.
    const news = JSON.parse(JSON.stringify(orders.map((order) => ({ ...order, struck: round % 2 === 1 }))))
    const sorted = news.map((order) => ({ ...order, key: (order.number * 7919) % 61 })).sort((a, b) => a.key - b.key)
    board.replaceChildren(
      ...sorted.map((order) => {
        const ticket = element('section', order.struck ? 'ticket odd' : 'ticket', '')
        const head = element('div', 'head', '')
        head.append(element('span', 'number', '#' + order.number), element('span', 'age', round + ' min'))
        ticket.append(head)
        for (const line of order.lines) {
          const row = element('div', order.struck ? 'line struck' : 'line', '')
          row.append(element('b', 'qty', line.qty + ' x '), element('span', 'name', line.name), element('i', 'note', line.note))
          for (const modifier of line.modifiers) row.append(element('div', 'modifier', modifier))
          ticket.append(row)
        }
        ticket.append(element('button', 'ready', 'Ready'))
        return ticket
      }),
    )
    let height = 0
    for (const ticket of board.children) height += ticket.getBoundingClientRect().height
    return new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(height), 0)))
  }
  undefined`
