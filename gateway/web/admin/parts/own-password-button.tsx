// A button for a change of access: a dialog shows what will happen, and asks the signed-in person for their own password again.
import { Button, type ButtonProps, Modal, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { ApiError } from '#shared/ui/api.ts'
import { Form } from '#shared/ui/parts/form.tsx'
import { OwnPasswordField } from './secret-fields.tsx'

interface OwnPasswordButtonProps extends ButtonProps {
  label: string
  /** The full label, for a page with several such buttons. */
  fullLabel: string
  /** What will happen, for the person who decides. */
  question: string
  /** Ends when the box has done it, or has refused. */
  act: (ownPassword: string) => Promise<unknown>
  change: { error: ApiError | null; isPending: boolean; reset: () => void }
  /** Called when the dialog opens: earlier choices in its fields that were not sent are discarded. */
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
