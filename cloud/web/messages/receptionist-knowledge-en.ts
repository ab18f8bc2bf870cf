// The words of the receptionist's answers, in English.
export const words = {
  intro: 'Questions that callers ask, with what the receptionist says. It knows the opening hours from the setup.',
  none: 'There is no answer yet. Write down what people ask on the telephone: parking, dogs, allergies, vouchers.',
  add: 'Add an answer',
  change: 'Change',
  changeOf: (question: string) => `Change: ${question}`,
  question: 'Question',
  questionHint: 'As a caller would ask it.',
  answer: 'Answer',
  answerHint: 'It is read aloud: one or two short sentences.',
  tags: 'Other words for it',
  tagsHint: 'With commas between, such as: car, garage, valet.',
  enabled: 'Answer callers with it',
  off: 'switched off',
  hits: (n: number) => (n === 1 ? 'told 1 caller' : `told ${n} callers`),
  never: 'not asked yet',
  put: 'Save the answer',
  saved: 'Saved.',
  delete: 'Delete',
  deleteOf: (question: string) => `Delete: ${question}`,
  deleteAsk: (question: string) => `Delete the answer to “${question}”?`,
  deleted: 'Deleted.',
  try: 'Try a question',
  tryHint: 'What would the receptionist say?',
  tryGo: 'Ask',
  found: (question: string) => `From the answer to: ${question}`,
  foundHours: 'From the opening hours',
  notFound:
    'It has no answer to that: it asks the caller to say it in other words, and passes the call on after the second time.',
  find: 'Find an answer',
}

export type KnowledgeWords = typeof words
