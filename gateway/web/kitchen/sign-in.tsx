// Sign-in of a display with its code.
import { type FormEvent, useState } from 'react'
import type { KitchenModel } from './kitchen-model.ts'
import { useWords } from './messages/words.tsx'
import { signInWords } from './refusal-words.ts'

export function SignIn({ model }: { model: KitchenModel }) {
  const { m } = useWords()
  const [code, setCode] = useState('')
  /** The code of the refusal. */
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
