// What a customer reads when the order is ready, in one segment of a text message. Pure.
import { inGsm, oneLine, oneSegment } from './one-segment.ts'

export const CUSTOMER_LANGUAGES = ['en', 'es', 'zh-Hans'] as const
export type CustomerLanguage = (typeof CUSTOMER_LANGUAGES)[number]

/** `from`: the restaurant with a colon after it, or nothing. In English and Spanish in GSM 03.38: `á`, `í`, `ó`, `ú` are not in its alphabet. */
const WORDS: Record<CustomerLanguage, (from: string, number: string) => string> = {
  en: (from, number) => `${from}order ${number} is ready for pickup. Reply STOP to end.`,
  es: (from, number) => `${from}su pedido ${number} ya se puede recoger. Responda STOP para no recibir otros mensajes.`,
  'zh-Hans': (from, number) => `${from}订单 ${number} 可以取餐了。回复 STOP 退订。`,
}

/** @param number as it is on the ticket: at most 12 characters count */
export function readyText(language: CustomerLanguage, { name, number }: { name: string; number: string }): string {
  const shown = inGsm(oneLine(number)).slice(0, 12)
  return oneSegment((restaurant) => {
    const text = WORDS[language](restaurant === '' ? '' : `${restaurant}: `, shown)
    return restaurant === '' ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text
  }, name)
}
