// A screen that is nobody yet: the code of a display makes it one.
import { type FormEvent, useState } from 'react'
import type { KitchenModel } from './kitchen-model.ts'
import { useWords } from './messages/words.tsx'
import { signInWords } from './refusal-words.ts'

export function SignIn({ model }: { model: KitchenModel }) {
  const { m } = useWords()
  const [code, setCode] = useState('')
  /** Why the box did not take it, as a code. */
  const [fault, setFault] = useState<string | null>(null)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void model.signIn(code).then(setFault)
  }
  return (
    <main className="center">
      <form onSubmit={submit}>
        <h1>{m.signInTitle}</h1>
        <p>{m.signInWhy}</p>
        <label>
          {m.code}
          <input
            value={code}
            onChange={({ target }) => setCode(target.value)}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={12}
          />
        </label>
        {fault !== null && (
          <p className="banner banner-red" role="alert">
            {signInWords(fault, m)}
          </p>
        )}
        <button type="submit" className="main">
          {m.signIn}
        </button>
      </form>
    </main>
  )
}
