// A few choices in a row, of which one is pressed.
import { Button, type ButtonProps } from '@mantine/core'

interface PressChoiceProps<V extends string> extends Pick<ButtonProps, 'size'> {
  /** What is chosen, for a screen reader. */
  label: string
  value: V
  set: (value: V) => void
  choices: readonly V[]
  wordsOf: Readonly<Record<V, string>>
  className?: string
}

export function PressChoice<V extends string>({
  label,
  value,
  set,
  choices,
  wordsOf,
  size = 'compact-sm',
  className,
}: PressChoiceProps<V>) {
  return (
    <fieldset aria-label={label} className={className}>
      {choices.map((one) => (
        <Button
          key={one}
          size={size}
          variant={one === value ? 'filled' : 'default'}
          aria-pressed={one === value}
          onClick={() => set(one)}
        >
          {wordsOf[one]}
        </Button>
      ))}
    </fieldset>
  )
}
