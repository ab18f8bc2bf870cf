// What is wrong, its effect and its remedy, in English: the same texts as on the box and its command line.
import { HEALTH_WORDS } from '#shared/health-words.ts'

export const enHealth = {
  ...HEALTH_WORDS,
  overview: {
    /** Before the list of what is wrong. */
    wrong: 'What is wrong',
    lasts: (span: string) => `for ${span}`,
    /** Next to the page's name in the header. */
    chip: 'Health of the box',
  },
  /** For a printer with a warning: its reason is shown with it. */
  printerDown: '{printer} does not print',
  printerWarns: '{printer} has a message',
}
