// A form: a problem is shown at its field until the field changes, the first invalid field gets the focus, and other problems are shown at the end.
import { Button, Group } from '@mantine/core'
import {
  createContext,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { ApiError } from '#shared/ui/api.ts'
import {
  asSentence,
  type FormProblems,
  invalidWords,
  NO_PROBLEMS,
  sortedProblems,
  withoutField,
} from '#shared/ui/form-problems.ts'
import { problemWords } from '#shared/ui/problem-words.ts'
import { useSpeech } from '#shared/ui/speech.tsx'
import { ProblemAlert } from './problem.tsx'

const ProblemsContext = createContext<ReadonlyMap<string, string>>(new Map())

/** The problem of the field of this name. Null if there is none. */
export function useFieldProblem(name: string | undefined): string | null {
  const problems = useContext(ProblemsContext)
  // Fields without a name would all show the same problem.
  const words = name ? problems.get(name) : undefined
  return words === undefined ? null : asSentence(words)
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function fieldsOf(form: HTMLFormElement | null): Field[] {
  const isField = (it: Element): it is Field => /^(?:INPUT|SELECT|TEXTAREA)$/.test(it.tagName)
  return form === null ? [] : [...form.elements].filter(isField)
}

interface Problems {
  shown: FormProblems
  /** Returns true if every field is valid; otherwise focuses the first invalid one. */
  check: () => boolean
  /** A field has changed: its problem is removed. */
  changed: (event: FormEvent) => void
}

function useProblems(form: RefObject<HTMLFormElement | null>, error: ApiError | null): Problems {
  const speech = useSpeech()
  const [shown, setShown] = useState(NO_PROBLEMS)
  const show = (next: FormProblems) => {
    setShown(next)
    fieldsOf(form.current)
      .find(({ name }) => next.at.has(name))
      ?.focus()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per refusal, not per change of language
  useLayoutEffect(() => {
    const names = new Set(fieldsOf(form.current).map(({ name }) => name))
    if (error) show(sortedProblems(problemWords(error, speech), error, (name) => names.has(name)))
    else setShown(NO_PROBLEMS)
  }, [error])
  const check = () => {
    const fields = fieldsOf(form.current)
    const at = new Map(fields.filter(isWrong).map((field) => [field.name, wordsFor(field, speech.t.refusals)] as const))
    show({ at, rest: null })
    if (at.size > 0) return false
    // Problems that the page itself finds, such as two different passwords, not earlier ones of the server.
    const own = fields.find((field) => field.getAttribute('aria-invalid') === 'true' && !shown.at.has(field.name))
    own?.focus()
    return own === undefined
  }
  const changed = ({ target }: FormEvent) => {
    const field = target as Field
    if (field.form === form.current && shown.at.has(field.name)) setShown(withoutField(shown, field.name))
  }
  return { shown, check, changed }
}

function isWrong(field: Field): boolean {
  return field.willValidate && !field.validity.valid
}

function wordsFor(field: Field, refusals: Parameters<typeof invalidWords>[1]): string {
  const { valueMissing, tooShort } = field.validity
  const minLength = field instanceof HTMLSelectElement ? 0 : field.minLength
  const isNumeric = field.inputMode === 'numeric'
  return invalidWords({ name: field.name, isEmpty: valueMissing, isTooShort: tooShort, minLength, isNumeric }, refusals)
}

interface FormProps {
  /** Label of the button. */
  label: string
  act: () => void
  change: { error: ApiError | null; isPending: boolean }
  isWide?: boolean
  /** Nothing to send yet: the button is shown without emphasis. */
  isQuiet?: boolean
  /** Additional buttons, before the one that sends. */
  buttons?: ReactNode
  children: ReactNode
}

/** Fields, problems, and the button that sends them. Each field has the server's name. */
export function Form({ label, act, change, isWide = false, isQuiet = false, buttons, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { shown, check, changed } = useProblems(form, change.error)
  const submit = (event: FormEvent) => {
    // Ignores events of a form in a dialog within this one.
    if (event.target !== form.current) return
    event.preventDefault()
    if (check()) act()
  }
  return (
    <form ref={form} noValidate className={isWide ? 'stack' : 'stack narrow'} onSubmit={submit} onChange={changed}>
      <ProblemsContext value={shown.at}>{children}</ProblemsContext>
      {shown.rest && <ProblemAlert words={shown.rest} />}
      <Group>
        {buttons}
        <Button type="submit" variant={isQuiet ? 'default' : 'filled'} loading={change.isPending}>
          {label}
        </Button>
      </Group>
    </form>
  )
}
