// What words of callers mean, in both languages: wishes that must be heard, and sentences that only look like them.
import { describe, expect, test } from 'vitest'
import { type Meanings, numberIn, plain } from './spoken-words.ts'
import { wordsIn } from './words-in.ts'

type Meaning = keyof Meanings

describe.each([
  ['en', 'can I talk to a real person please', 'person'],
  ['en', 'Give me the manager!', 'person'],
  ['en', "I'm allergic to peanuts", 'allergy'],
  ['en', 'is it gluten-free', 'allergy'],
  ['en', 'I want my money back', 'complaint'],
  ['en', 'my order is wrong', 'complaint'],
  ['en', 'can I pay over the phone', 'payment'],
  ['en', "I'd like to leave a message", 'message'],
  ['en', "no, that's all", 'goodbye'],
  ['en', 'Thanks, bye!', 'goodbye'],
  ['en', "I'd like to book a table for four", 'table'],
  ['en', 'do you have any tables tonight', 'table'],
  ['en', 'I want to cancel my reservation', 'bookedTable'],
  ['en', 'I am running late for my reservation', 'bookedTable'],
  ['en', 'I have a reservation tonight and want to add two people', 'bookedTable'],
  ['es', 'quiero cambiar mi reservación', 'bookedTable'],
  ['es', 'tenemos una reserva para hoy', 'bookedTable'],
  ['en', 'I want to order for pickup', 'order'],
  ['en', 'can I get two burgers', 'order'],
  ['en', 'what time do you close', 'hours'],
  ['es', 'quiero hablar con una persona', 'person'],
  ['es', '¿Está el encargado?', 'person'],
  ['es', 'soy alérgica a los cacahuates', 'allergy'],
  ['es', 'tengo una queja', 'complaint'],
  ['es', 'mi pedido no llegó', 'complaint'],
  ['es', '¿puedo pagar por teléfono?', 'payment'],
  ['es', 'quisiera dejar un mensaje', 'message'],
  ['es', 'no, eso es todo, gracias', 'goodbye'],
  ['es', 'una mesa para dos a las siete', 'table'],
  ['es', 'quiero hacer una reservación', 'table'],
  ['es', 'quiero dos hamburguesas', 'order'],
  ['es', '¿a qué hora abren?', 'hours'],
] as const)('in %s', (language, said, meaning: Meaning) => {
  test(`"${said}" is about: ${meaning}`, () => {
    expect(wordsIn(language).means[meaning].test(plain(said))).toBe(true)
  })
})

describe.each([
  ['en', 'do you take credit cards', 'payment'],
  ['en', 'I want to know when you open', 'order'],
  ['en', 'are you close to the station', 'hours'],
  ['en', 'can I have a reservation for four', 'bookedTable'],
  ['en', 'I would like to make a reservation', 'bookedTable'],
  ['es', 'quiero hacer una reserva', 'bookedTable'],
  ['en', 'no, I would like something else', 'goodbye'],
  ['es', '¿aceptan tarjetas de crédito?', 'payment'],
  ['es', 'quiero saber el horario', 'order'],
] as const)('in %s', (language, said, meaning: Meaning) => {
  test(`"${said}" is not about: ${meaning}`, () => {
    expect(wordsIn(language).means[meaning].test(plain(said))).toBe(false)
  })
})

test.each([
  ['en', 'for four', 4],
  ['en', 'a party of twenty-two people', 22],
  ['en', 'thirty and five', 35],
  ['en', '12', 12],
  ['en', 'a couple', 2],
  ['en', 'nobody', null],
  ['es', 'a las siete', 7],
  ['es', 'para treinta y dos', 32],
  ['es', 'veintidós', 22],
  ['es', 'nadie', null],
] as const)('in %s the number in "%s" is %s', (language, said, number) => {
  expect(numberIn(wordsIn(language), said)).toBe(number)
})

test.each([
  ['en', 'a table for four tomorrow at seven', 'four', 'tomorrow at seven'],
  ['en', 'we are six people, on friday at half past eight', 'six', 'on friday at half past eight'],
  ['en', 'tonight at 7:30 pm', undefined, 'tonight at 7:30 pm'],
  ['en', 'a table for seven thirty', undefined, undefined],
  ['es', 'una mesa para dos el sabado a las siete y media', 'dos', 'el sabado a las siete y media'],
  ['es', 'somos cuatro personas', 'cuatro', undefined],
] as const)('in %s "%s" is for %s people, %s', (language, said, people, time) => {
  const { party, when } = wordsIn(language).means
  const found = party.exec(plain(said))
  expect([found?.[1] ?? found?.[2], when.exec(plain(said))?.[0]]).toEqual([people, time])
})
