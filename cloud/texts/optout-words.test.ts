// The words that end text messages, and the same words where they are about something else.
import { describe, expect, it } from 'vitest'
import { wishOf } from './optout-words.ts'

describe('what a customer writes', () => {
  it.each([
    ...['STOP', ' stop. ', 'Stop texting me!', 'STOP the messages', 'stop, please', 'Stop it now', 'Unsubscribe!'],
    ...['Alto, por favor', 'ALTO a los mensajes', 'Arrêt SVP', 'Quit', '退订'],
  ])('"%s" ends messages', (text) => expect(wishOf(text)).toBe('stop'))

  it.each([
    ...['Stop by at five?', 'Stop and go, is it ready', 'Alto horno 5?', 'cancel my order', 'please do not stop'],
    ...['The bus stop', 'End of the street', '', '🛑'],
  ])('"%s" is about something else', (text) => expect(wishOf(text)).toBeNull())

  it.each(['START', 'yes', ' Unstop!', 'Alta'])('"%s" begins them again', (text) => expect(wishOf(text)).toBe('start'))
})
