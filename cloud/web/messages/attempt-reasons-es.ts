// Why an attempt at a telephone company or a mail server failed, in Spanish: of numbers and of text messages.
import type { AttemptReasons } from './attempt-reasons-en.ts'

export const attemptReasons: AttemptReasons = {
  timeout: 'No hubo respuesta a tiempo.',
  connection: 'Falló la conexión.',
  connection_refused: 'Se rechazó la conexión.',
  dns: 'No se encontró el nombre del servidor.',
  tls: 'El certificado del servidor no es de confianza.',
  redirect: 'No se pudo leer la respuesta.',
  bad_answer: 'No se pudo leer la respuesta.',
  too_long: 'No se pudo leer la respuesta.',
  too_many: 'Hubo demasiadas solicitudes a la vez.',
  provider_error: 'La compañía telefónica tiene una avería.',
  refused: 'La compañía telefónica lo rechaza.',
  not_found: 'La compañía telefónica no lo conoce.',
  not_supported: 'Este relé no puede hacerlo con esta compañía telefónica.',
  stopped: 'El relé terminó entretanto.',
}
