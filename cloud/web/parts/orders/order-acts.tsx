// The actions on an order by its state and the person's rights: ready and picked up with a moment to undo, void and refund after a question.
import { Button, type ButtonProps, Group, Modal, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { OrderRowAnswer } from '#cloud/control/order-list.ts'
import { ordersWords } from '#cloud/web/messages/orders.ts'
import { useChange } from '#cloud/web/operations.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { type Cancel, systemClock } from '#shared/clock.ts'
import { languageFacts } from '#shared/languages.ts'
import type { ApiError } from '#shared/ui/api.ts'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { isOpen, moneyWords } from './order-words.ts'

type Order = Pick<OrderRowAnswer, 'serviceOrderId' | 'number' | 'status' | 'refundable'>

interface ActsProps {
  merchantId: string
  order: Order
  currency: string
  /** In a list: only the next step. */
  isShort?: boolean
}

export function OrderActs({ merchantId, order, currency, isShort = false }: ActsProps) {
  const maySell = useMay('serve')
  const mayMoney = useMay('money')
  const { serviceOrderId, status, refundable } = order
  return (
    <Group gap="xs" className="order-acts">
      {maySell && (status === 'accepted' || status === 'printed') && (
        <NextStep to="ready" {...{ merchantId, order }} isMain={!isShort} />
      )}
      {maySell && status === 'ready' && <NextStep to="completed" {...{ merchantId, order }} isMain={!isShort} />}
      {!isShort && maySell && status !== 'voided' && <Reprint {...{ merchantId, serviceOrderId }} />}
      {!isShort && mayMoney && isOpen(status) && <VoidOrder {...{ merchantId, order }} />}
      {!isShort && mayMoney && refundable > 0 && <RefundOrder {...{ merchantId, order, currency }} />}
    </Group>
  )
}

function NextStep({
  to,
  merchantId,
  order: { serviceOrderId, number },
  isMain,
}: {
  to: 'ready' | 'completed'
  merchantId: string
  order: Order
  isMain: boolean
}) {
  const { acts } = usePageWords(ordersWords)
  const change = useChange(`orders.${to}`)
  return (
    <>
      <HeldButton
        label={acts[to]}
        undo={acts.undo}
        waiting={acts.waiting(acts[to], number)}
        undone={acts.undone(number)}
        aria-label={isMain ? undefined : `${acts[to]}, ${number}`}
        size={isMain ? 'sm' : 'compact-md'}
        loading={change.isPending}
        act={() => change.mutate({ merchantId, serviceOrderId })}
      />
      <Problem error={change.error} />
    </>
  )
}

function Reprint({ merchantId, serviceOrderId }: { merchantId: string; serviceOrderId: Order['serviceOrderId'] }) {
  const { acts } = usePageWords(ordersWords)
  const say = useNotice()
  const [isOpenDialog, setOpen] = useState(false)
  const change = useChange('jobs.reprint', ({ isOffline }) => {
    setOpen(false)
    say(isOffline ? acts.reprintWaits : acts.reprinted)
  })
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {acts.reprint}
      </Button>
      <AskDialog
        title={acts.reprint}
        why={acts.reprintWhy}
        go={acts.reprint}
        isOpen={isOpenDialog}
        close={() => setOpen(false)}
        change={change}
        act={() => change.mutate({ merchantId, serviceOrderId })}
      />
    </>
  )
}

function VoidOrder({ merchantId, order: { serviceOrderId, number } }: { merchantId: string; order: Order }) {
  const { acts } = usePageWords(ordersWords)
  const say = useNotice()
  const [isOpenDialog, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const change = useChange('orders.void', () => {
    setOpen(false)
    say(acts.voided(number))
  })
  return (
    <>
      <Button variant="default" color="red" onClick={() => setOpen(true)}>
        {acts.void}
      </Button>
      <AskDialog
        title={acts.voidOf(number)}
        why={acts.voidWhy}
        go={acts.void}
        color="red"
        isOpen={isOpenDialog}
        close={() => setOpen(false)}
        change={change}
        act={() => change.mutate({ merchantId, serviceOrderId, ...(reason.trim() && { reason: reason.trim() }) })}
      >
        <TextInput
          name="reason"
          label={acts.reason}
          maxLength={500}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </AskDialog>
    </>
  )
}

function RefundOrder({ merchantId, order, currency }: { merchantId: string; order: Order; currency: string }) {
  const { acts } = usePageWords(ordersWords)
  const { language } = useSpeech()
  const say = useNotice()
  const money = (amount: number) => moneyWords(amount, currency, languageFacts(language).locale)
  const [isOpenDialog, setOpen] = useState(false)
  const [amount, setAmount] = useState(String(order.refundable))
  const [reason, setReason] = useState('')
  const change = useChange('orders.refund', ({ amount: refunded }) => {
    setOpen(false)
    say(acts.refunded(money(refunded)))
  })
  const act = () =>
    change.mutate({
      merchantId,
      serviceOrderId: order.serviceOrderId,
      amount: Number(amount.replace(',', '.')),
      ...(reason.trim() && { reason: reason.trim() }),
    })
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          setAmount(String(order.refundable))
          setOpen(true)
        }}
      >
        {acts.refund}
      </Button>
      <AskDialog
        title={acts.refundOf(order.number)}
        why={acts.refundWhy(money(order.refundable))}
        go={acts.refund}
        isOpen={isOpenDialog}
        close={() => setOpen(false)}
        change={change}
        act={act}
      >
        <TextInput
          name="amount"
          label={`${acts.amount} (${currency})`}
          inputMode="decimal"
          pattern="[0-9]{1,7}([.,][0-9]{1,2})?"
          required
          value={amount}
          onChange={({ currentTarget }) => setAmount(currentTarget.value)}
        />
        <TextInput
          name="reason"
          label={acts.reasonRefund}
          maxLength={500}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </AskDialog>
    </>
  )
}

interface AskDialogProps {
  title: string
  why: string
  go: string
  color?: string
  isOpen: boolean
  close: () => void
  change: { error: ApiError | null; isPending: boolean; reset: () => void }
  act: () => void
  children?: ReactNode
}

export function AskDialog({
  title,
  why,
  go,
  color = 'blue',
  isOpen: opened,
  close,
  change,
  act,
  children,
}: AskDialogProps) {
  const { t } = useSpeech()
  const leave = () => {
    change.reset()
    close()
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    act()
  }
  return (
    <Modal opened={opened} onClose={leave} title={title}>
      <form className="stack" onSubmit={send}>
        <p>{why}</p>
        {children}
        <Problem error={change.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            {t.common.cancel}
          </Button>
          <Button type="submit" color={color} loading={change.isPending}>
            {go}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

/** As long as a person needs to see that it was the wrong one. */
const HELD_MS = 5_000

interface HeldButtonProps extends ButtonProps {
  label: string
  undo: string
  /** The texts after it is pressed and after it is undone. */
  waiting: string
  undone: string
  act: () => void
}

/** A button whose action waits a moment so that it can be undone: afterwards it cannot be taken back. */
function HeldButton({ label, undo, waiting, undone, act, ...button }: HeldButtonProps) {
  const say = useNotice()
  const [isHeld, setHeld] = useState(false)
  const pending = useRef<{ cancel: Cancel } | null>(null)
  const newest = useRef(act)
  newest.current = act
  const done = useCallback(() => {
    if (pending.current === null) return
    pending.current.cancel()
    pending.current = null
    newest.current()
  }, [])
  // Leaving the page confirms the action.
  useEffect(() => done, [done])
  const press = () => {
    if (pending.current !== null) {
      pending.current.cancel()
      pending.current = null
      setHeld(false)
      say(undone)
      return
    }
    pending.current = {
      cancel: systemClock.after(HELD_MS, () => {
        setHeld(false)
        done()
      }),
    }
    setHeld(true)
    say(waiting)
  }
  return (
    <Button variant={isHeld ? 'filled' : 'default'} className={isHeld ? 'held' : ''} {...button} onClick={press}>
      {isHeld ? undo : label}
    </Button>
  )
}
