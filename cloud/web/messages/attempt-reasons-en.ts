// Why an attempt at a telephone company or a mail server failed, in English: of numbers and of text messages.
export const attemptReasons = {
  timeout: 'There was no answer in time.',
  connection: 'The connection failed.',
  connection_refused: 'The connection was refused.',
  dns: 'The name of the server was not found.',
  tls: 'The certificate of the server is not trusted.',
  redirect: 'The answer could not be read.',
  bad_answer: 'The answer could not be read.',
  too_long: 'The answer could not be read.',
  too_many: 'There were too many requests at once.',
  provider_error: 'The telephone company has a fault.',
  refused: 'The telephone company refuses it.',
  not_found: 'The telephone company does not know it.',
  not_supported: 'This relay cannot do it with this telephone company.',
  stopped: 'The relay ended meanwhile.',
}

export type AttemptReasons = Record<keyof typeof attemptReasons, string>
