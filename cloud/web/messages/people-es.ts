// The words of the page of people, in Spanish.
import type { PeopleWords } from './people-en.ts'

export const words: PeopleWords = {
  explain: 'Quién puede entrar en esta cuenta y qué puede hacer cada persona.',
  invite: 'Invitar a alguien',
  onlyYou: 'Está solo aquí. Invite a quien lleva la cocina y a quien desarrolla con la API.',
  name: 'Nombre',
  role: 'Función',
  lastSeen: 'Última vez aquí',
  since: 'Desde',
  you: 'usted',
  nowhere: 'sin sesión iniciada',
  rights: {
    staff: 'Pedidos y lo que está agotado. Nada más.',
    developer: 'Claves, webhooks, eventos y peticiones. De los restaurantes reales solo lee.',
    manager: 'Pedidos con anulaciones y devoluciones, cocinas, carta, ajustes. Ve lo que hace la cuenta.',
    owner: 'Todo, también personas, socios, plan y claves reales que pueden escribir.',
  },
  changeRole: 'Cambiar la función',
  changeRoleOf: (name) => `Cambiar la función de ${name}`,
  changeRoleHint: (name) =>
    `Vale de inmediato. Si ${name} no tiene otra cuenta, se cierra su sesión y vuelve a entrar.`,
  remove: 'Quitar',
  removeOf: (name) => `Quitar a ${name}`,
  removeQuestion: (name) => `${name} deja de ver esta cuenta al momento.`,
  removed: (name) => `${name} ya no está en la cuenta.`,
  waiting: 'Invitaciones pendientes',
  email: 'Correo electrónico',
  invitedBy: 'Invita',
  expires: 'Sirve hasta',
  revoke: 'Retirar',
  revokeOf: (email) => `Retirar la invitación de ${email}`,
  revokeQuestion: (email) => `El enlace que ha recibido ${email} deja de llevar a ninguna parte.`,
  language: 'Idioma del correo',
  send: 'Enviar la invitación',
  sent: (email) => `Una invitación va de camino a ${email}.`,
  handOver: 'Entregue el enlace',
  handOverHint: (email) =>
    `Este relé no envía correo. Dé usted este enlace a ${email}: sirve una vez, durante siete días, y se muestra solo esta vez.`,
  link: 'Enlace',
}
