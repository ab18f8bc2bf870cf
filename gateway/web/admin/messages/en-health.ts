// What is wrong, what it costs and what mends it, in English: the same words as the box and its command line say.
import { HEALTH_WORDS } from '#shared/health-words.ts'

export const enHealth = {
  ...HEALTH_WORDS,
  overview: {
    /** Before the list of what is wrong. */
    wrong: 'What is wrong',
    lasts: (span: string) => `for ${span}`,
    /** Beside the page's name in the header. */
    chip: 'Health of the box',
  },
  /** Of a printer that warns: its reason says the rest. */
  printerDown: '{printer} does not print',
  printerWarns: '{printer} has a message',
}
