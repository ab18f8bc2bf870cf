// A button that asks for confirmation in a dialog before it acts.
import { Button, type ButtonProps, Group, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { useSpeech } from '#shared/ui/speech.tsx'

interface AskButtonProps extends ButtonProps {
  label: string
  /** What will happen, as a question to the user. */
  question: string
  act: () => void
}

export function AskButton({ label, question, act, ...button }: AskButtonProps) {
  const { t } = useSpeech()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={label}>
        <Text>{question}</Text>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={() => setOpen(false)}>
            {t.common.cancel}
          </Button>
          <Button
            color={button.color ?? 'blue'}
            onClick={() => {
              setOpen(false)
              act()
            }}
          >
            {label}
          </Button>
        </Group>
      </Modal>
    </>
  )
}
