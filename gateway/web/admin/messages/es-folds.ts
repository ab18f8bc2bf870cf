// Las partes de la página de ajustes, y cómo está cada una en una línea, en español.
import type { enFolds } from './en-folds.ts'

export const esFolds = {
  name: 'Nombre, hora e idioma',
  pairing: 'Restaurante',
  https: 'Conexión cifrada (https)',
  httpsStates: {
    off: 'Desactivada',
    starting: 'Iniciándose',
    on: 'Activada',
    failed: 'No funciona',
  },
  until: (date) => `certificado hasta ${date}`,
  sources: {
    'self-signed': 'hecho por el propio equipo: el navegador avisa una vez',
    provided: 'puesto por el dueño del equipo',
  },
  source: 'Certificado',
  validUntil: 'Válido hasta',
  port: 'Puerto',
  version: 'Versión y actualizaciones',
  versionNow: (version) => `Versión ${version}`,
  updates:
    'Un equipo instalado desde la fuente de paquetes se actualiza solo por la noche. Si una versión no arranca, vuelve solo a la anterior.',
  people: 'Personas',
  peopleNow: (count, names) => (count === 1 ? `1 persona: ${names}` : `${count} personas: ${names}`),
  password: 'Su contraseña',
  signedIn: (name) => `Ha entrado como ${name}`,
  care: 'Diagnóstico, copia de seguridad, restauración',
  logs: 'Lo que el equipo ha anotado, lo más reciente primero',
} satisfies typeof enFolds
