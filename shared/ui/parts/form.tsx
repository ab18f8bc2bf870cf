// A form: what is wrong stands at its field and goes with the next change of it; the first wrong field gets the focus; what is about no field stands at the end.
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

/** What is wrong with the field of this name; null: nothing that is known. */
export function useFieldProblem(name: string | undefined): string | null {
  const problems = useContext(ProblemsContext)
  // Fields without a name would all show what is wrong with one of them.
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
  /** True when every field holds what its form wants; else the first wrong one has the focus. */
  check: () => boolean
  /** A field of the form has changed: what was wrong with it may not be any more. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal, not for each change of language
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
    // What the page itself finds wrong, such as a password that was typed differently again: not what the server said before.
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
  /** What the button says. */
  label: string
  act: () => void
  change: { error: ApiError | null; isPending: boolean }
  isWide?: boolean
  /** Nothing is to be sent yet: the button does not ask to be pressed. */
  isQuiet?: boolean
  /** Further buttons, before the one that sends. */
  buttons?: ReactNode
  children: ReactNode
}

/** Fields, what went wrong, and the one button that sends them. Each field has the name by which the server calls it. */
export function Form({ label, act, change, isWide = false, isQuiet = false, buttons, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { shown, check, changed } = useProblems(form, change.error)
  const submit = (event: FormEvent) => {
    // A dialog's form within this one is none of ours.
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
