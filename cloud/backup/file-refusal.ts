// The operator's message in place of an answer about a file.

/** A refusal in words for the operator. */
export class FileRefusal extends Error {
  override readonly name = 'FileRefusal'
}
