// Why the relay did not do what was asked, in Spanish.
import type { Messages } from './en.ts'

export const esRefusals: Messages['refusals'] = {
  codes: {
    unreachable: 'No llegó respuesta. Compruebe internet e inténtelo de nuevo.',
    'signed-out': 'No ha iniciado sesión. Iníciela de nuevo.',
    throttled: 'Demasiados intentos. Espere {seconds} segundos e inténtelo de nuevo.',
    busy: 'Muchas personas están iniciando sesión. Inténtelo de nuevo en un momento.',
    internal: 'Algo ha fallado dentro del relé. Su registro dice más.',
  },
  cases: {
    'right.operator': 'Esto solo puede hacerlo quien opera este relé.',
    'right.viewing': 'Está viendo una cuenta ajena: no se puede cambiar nada.',
    'right.member': 'No es miembro de esta cuenta.',
    'right.role': 'Su función no puede hacerlo. Pueden: {roles}.',
    'right.owner-account': 'Solo puede hacerlo la cuenta a la que pertenece este restaurante.',
    'right.elevate': 'No se ha cambiado nada: demuestre primero que es usted.',
    'order.sandbox-only': 'El panel solo acepta pedidos en el sandbox. Los pedidos reales llegan por la API.',
    'tap.mismatch': 'Esto ya se envió con otros datos. Cargue la página de nuevo e inténtelo otra vez.',
  },
  rules: {
    required: 'debe rellenarse',
    'wrong-form': 'tiene un formato incorrecto',
    'at-least': 'debe ser {limit} o más',
    'at-most': 'debe ser {limit} o menos',
    'at-least-characters': 'debe tener al menos {limit} caracteres',
    'at-most-characters': 'debe tener como máximo {limit} caracteres',
    number: 'debe ser un número',
  },
  forms: {
    email: 'debe ser una dirección de correo electrónico',
    code: 'debe ser los 8 caracteres del correo',
    name: 'debe ser un nombre en una línea',
  },
}
