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
    'gateway.unknown': 'Aquí no existe esa caja.',
    'gateway.revoked': 'Esta caja se retiró. Vincúlela de nuevo si la quiere otra vez.',
    'gateway.too-many-codes': 'Diez códigos de este lugar esperan a su caja. Use uno de ellos o espere a que caduquen.',
    'gateway.over-plan': 'Su plan no permite otra caja.',
    'gateway.move-online':
      'La caja está encendida y sigue con el lugar para el que se encendió. Apáguela, trasládela aquí y enciéndala allí.',
    'gateway.move-open':
      'La caja tiene {tickets} tickets de su lugar actual de los que aún no ha dado cuenta. Deje que los imprima allí, o retírela: entonces los recibe la siguiente caja de ese lugar.',
    'gateway.one-password':
      'Este servidor no puede cambiar la contraseña de una caja. Cree un código, desvincule la caja en su página y vincúlela con el código: sus tickets se conservan.',
    'location.unknown': 'Aquí no existe ese lugar.',
    'plan.over': 'Su plan no permite uno más.',
    'printer.unknown-printer': 'Esta impresora ya no está propuesta.',
    'printer.name-taken': 'Otra impresora propuesta de esta caja tiene ese nombre.',
    'printer.too-many': 'Esta caja tiene tantas impresoras propuestas como puede tener.',
    'printer.too-large': 'Es más de lo que se le puede decir a una caja: menos impresoras o menos puestos.',
    'seen.stale': 'Otra persona lo ha cambiado entretanto. No se guardó nada, y lo que escribió sigue aquí.',
    'menu.file-wrong-lines': 'Algunas líneas del archivo están mal. No se tomó nada.',
    'menu.file-empty': 'El archivo no tiene artículos.',
    'menu.file-not-json': 'El archivo empieza con [ y no es una lista JSON.',
    'menu.file-quote': 'Una comilla del CSV está en el lugar equivocado.',
    'channel.simulated-live': 'Un restaurante real no tiene canales simulados.',
    'channel.fails': 'Solo se puede pedir a un canal simulado que falle.',
    'channel.no-url': 'Un canal por http necesita una dirección.',
    'merchant.nothing': 'No ha cambiado nada.',
    'pos.none': 'La caja registradora integrada no necesita prueba.',
    'relay.no-master-key': 'Este servidor no tiene clave para guardar secretos. Pregunte a quienes lo administran.',
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
