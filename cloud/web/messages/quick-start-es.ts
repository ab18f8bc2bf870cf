// The words of the page that leads to the first order, in Spanish.
import type { QuickStartWords } from './quick-start-en.ts'

export const words: QuickStartWords = {
  intro: 'De una clave a un ticket en papel y un webhook: unos dos minutos, en el sandbox.',
  key: {
    title: 'Una clave',
    make: 'Crear una clave',
    explain: 'Los programas llaman a la API con una clave. Esta es del sandbox y se pone en las líneas de abajo.',
    made: 'Su clave está en las líneas de abajo. Cópiela si quiere conservarla: se muestra hasta que se cierre esta página.',
    label: 'Clave de API',
  },
  order: {
    title: 'Un pedido',
    explain: (restaurant) => `Va a ${restaurant}. Ejecútelo en un terminal o aquí.`,
    language: 'Lenguaje',
    languages: { curl: 'curl', javascript: 'JavaScript' },
    label: 'El pedido',
    run: 'Ejecutarlo aquí',
    again: 'Enviar otro',
    taken: 'Aceptado.',
    see: 'Ver el pedido',
    noMenu: 'Este restaurante no tiene nada en su carta. Elija otro o restablezca el sandbox.',
  },
  paper: {
    title: 'El ticket',
    explain: 'Como lo recibe la impresora de la cocina, byte a byte.',
    waiting: 'Aparece aquí en cuanto está en papel: uno o dos segundos después del pedido.',
  },
  webhook: {
    title: 'Un webhook',
    explain: 'Su servidor se entera de cada paso. Aquí un inspector ocupa el lugar de su servidor.',
    open: 'Abrir el inspector',
    waiting: 'El inspector escucha. Envíe un pedido: lo que reciba aparece aquí.',
    received: (type) => `Recibido: ${type}`,
    signed: 'Su firma es correcta.',
    wrong: 'Su firma es incorrecta.',
    label: 'El webhook',
    next: 'A sus webhooks',
  },
  onlySandbox: 'Los primeros pasos son en el sandbox: allí no se factura nada.',
  goSandbox: 'Al sandbox',
  done: 'Y después',
  keys: 'Las claves y sus permisos',
  docs: 'La API completa',
}
