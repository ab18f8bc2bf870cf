// The words of the receptionist's answers, in Spanish.
import type { KnowledgeWords } from './receptionist-knowledge-en.ts'

export const words: KnowledgeWords = {
  intro: 'Preguntas de quienes llaman, con lo que responde la recepcionista. El horario lo toma de la configuración.',
  none: 'Todavía no hay respuestas. Escriba lo que la gente pregunta por teléfono: estacionamiento, perros, alergias, vales de regalo.',
  add: 'Añadir una respuesta',
  change: 'Cambiar',
  changeOf: (question: string) => `Cambiar: ${question}`,
  question: 'Pregunta',
  questionHint: 'Como la haría quien llama.',
  answer: 'Respuesta',
  answerHint: 'Se lee en voz alta: una o dos frases cortas.',
  tags: 'Otras palabras para lo mismo',
  tagsHint: 'Separadas por comas, por ejemplo: coche, garaje, parking.',
  enabled: 'Usarla para responder',
  off: 'desactivada',
  hits: (n: number) => (n === 1 ? 'dicha a 1 persona' : `dicha a ${n} personas`),
  never: 'aún nadie ha preguntado',
  put: 'Guardar la respuesta',
  saved: 'Guardado.',
  delete: 'Eliminar',
  deleteOf: (question: string) => `Eliminar: ${question}`,
  deleteAsk: (question: string) => `¿Eliminar la respuesta a «${question}»?`,
  deleted: 'Eliminado.',
  try: 'Probar una pregunta',
  tryHint: '¿Qué diría la recepcionista?',
  tryGo: 'Preguntar',
  found: (question: string) => `De la respuesta a: ${question}`,
  foundHours: 'Del horario',
  notFound:
    'No tiene respuesta a eso: pide a quien llama que lo diga con otras palabras, y a la segunda vez pasa la llamada.',
  find: 'Buscar una respuesta',
}
