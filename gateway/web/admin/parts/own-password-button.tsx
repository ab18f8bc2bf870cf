// A button whose act decides who has a way in: a dialog says what will happen, and asks whoever is signed in for the own password again.
import { Button, type ButtonProps, Modal, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { ApiError } from '#shared/ui/api.ts'
import { Form } from '#shared/ui/parts/form.tsx'
import { OwnPasswordField } from './secret-fields.tsx'

interface OwnPasswordButtonProps extends ButtonProps {
  label: string
  /** What the button is called where several stand on a page. */
  fullLabel: string
  /** What will happen, for the person who decides. */
  question: string
  /** Ends when the box has done it, or has refused. */
  act: (ownPassword: string) => Promise<unknown>
  change: { error: ApiError | null; isPending: boolean; reset: () => void }
  /** The dialog opens: what somebody has chosen in its fields before, and not sent, is forgotten. */
  opens?: () => void
  /** Further fields; the first one carries `data-autofocus`. */
  children?: ReactNode
}

export function OwnPasswordButton({
  label,
  fullLabel,
  question,
  act,
  change,
  opens,
  children,
  ...button
}: OwnPasswordButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const [ownPassword, setOwnPassword] = useState('')
  const open = () => {
    setOwnPassword('')
    opens?.()
    change.reset()
    setOpen(true)
  }
  const send = () =>
    act(ownPassword).then(
      () => setOpen(false),
      // The form shows why.
      () => setOwnPassword(''),
    )
  return (
    <>
      <Button variant="default" {...button} aria-label={fullLabel} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={fullLabel}>
        <Form label={label} act={() => void send()} change={change} isWide>
          <Text>{question}</Text>
          {children}
          {/* The dialog opens in its first field: else its keyboard starts at the button that closes it, where a space typed early closes it. */}
          <OwnPasswordField
            data-autofocus={children === undefined || undefined}
            value={ownPassword}
            set={setOwnPassword}
          />
        </Form>
      </Modal>
    </>
  )
}
