// The words of the first page, in Spanish.
import type { HomeWords } from './home-en.ts'

export const words: HomeWords = {
  account: 'Cuenta',
  plan: 'Plan',
  role: 'Su función',
  environment: 'Entorno',
  keys: 'Claves de API',
  liveAllowed: 'Claves reales',
  allowed: 'permitidas',
  notYet: 'todavía no: solicite el acceso real',
}
